//! How much of a rock is in compactable soil.

use super::contact::{Look, Survey};

impl Look<'_> {
    /// [`Look::clearance`] as far as its sign goes; if it is not positive, [`Survey::vertex_gaps`] are those of every vertex below the
    /// ground and of its neighbours, and positive elsewhere, and [`Survey::wet_faces`] are the faces at the former.
    pub fn submergence(&self, survey: &mut Survey) -> f64 {
        self.measure(survey);
        survey.wet_faces.clear();
        if survey.lowest > 0.0 {
            return survey.lowest;
        }
        let measured = |k: usize| self.gap(k).unwrap_or(f64::NAN);
        let Survey { vertex_gaps, heights, wet_faces, .. } = &mut *survey;
        let heights = heights.as_flattened();
        vertex_gaps.clear();
        // What is above the ceiling is above the ground.
        let above = (0..self.rock.vertices.len()).map(|k| (k, heights.get(k).copied().unwrap_or(f64::NEG_INFINITY)));
        vertex_gaps.extend(above.map(|(k, height)| if height > 0.0 { height } else { measured(k) }));
        let mut deepest = f64::INFINITY;
        // False for NaN.
        let is_wet = |gap: f64| gap <= 0.0;
        for (vertex, &gap) in vertex_gaps.iter().enumerate() {
            deepest = deepest.min(gap);
            if is_wet(gap) {
                // Each face once, at its first wet corner.
                let met = |k: &u32| (*k as usize) < vertex && is_wet(vertex_gaps[*k as usize]);
                let faces = self.setup.faces.at(vertex).iter();
                wet_faces.extend(faces.filter(|face| !self.rock.faces[**face as usize].iter().any(met)));
            }
        }
        if wet_faces.is_empty() {
            return self.measured_clearance(survey, 0.0).min(deepest);
        }
        for face in wet_faces.iter() {
            for k in self.rock.faces[*face as usize].map(|k| k as usize) {
                if heights.get(k).is_some_and(|height| *height > 0.0 && *height == vertex_gaps[k]) {
                    vertex_gaps[k] = measured(k);
                }
            }
        }
        deepest
    }
}
