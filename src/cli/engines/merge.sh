#!/bin/bash
# Joins the parts; submit.sh submits it to follow them.
#SBATCH --job-name=couloir-merge
#SBATCH --cpus-per-task=@THREADS@
#SBATCH --mem=@MERGE_MB@M
#SBATCH --time=@MERGE_MINUTES@
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=merge.log
cd @FOLDER@ || exit 1
engine=${COULOIR:-@ENGINE@}
srun --ntasks=1 "$engine" @MERGE@ --with-parent
code=$?
if { [ "$code" = 4 ] || [ "$code" -ge 128 ]; } && [ "${SLURM_RESTART_COUNT:-0}" -lt 20 ]; then
    exec scontrol requeue "$SLURM_JOB_ID"
fi
exit "$code"
