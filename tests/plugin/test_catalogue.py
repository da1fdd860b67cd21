"""The catalogue the plugin shares with the engine."""

from couloir import catalogue


def test_messages_are_read_as_the_engine_reads_them():
    assert catalogue.words("de", "rocks", count=1) == "1 Stein"
    assert catalogue.words("de", "rocks", count=1800) == "1800 Steine"
    assert catalogue.words("fr", "rocks", count=0) == "0 bloc"
    assert catalogue.words("it", "no-such-message") == "no-such-message"
    assert len({frozenset(catalogue.messages(language)) for language in catalogue.LANGUAGES}) == 1
    for language in catalogue.LANGUAGES:
        assert not [key for key, text in catalogue.messages(language).items() if not text.strip()]


def test_layers_have_names_in_every_language():
    assert catalogue.layer_name("de", "kinetic_energy_kj_p95") == "kinetische Energie, 95-%-Quantil"
    assert catalogue.layer_name("fr", "frequency_above_30_kj") == "fréquence ≥ 30 kJ"
    assert catalogue.layer_name("it", "reach_probability") == "probabilità di raggiungimento"
    assert catalogue.layer_name("en", "my_layer") == "my_layer"
    assert catalogue.language_of("de_CH") == "de" and catalogue.language_of("nb_NO") == "en"
