#!/bin/bash
# One part of plan.json for each task of the array; submit.sh submits it.
#SBATCH --job-name=couloir
#SBATCH --array=1-@PARTS@
#SBATCH --cpus-per-task=@THREADS@
#SBATCH --mem=@MEMORY_MB@M
#SBATCH --time=@LIMIT_MINUTES@
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=part-%a.log
set -u
cd @FOLDER@ || exit 1
engine=${COULOIR:-@ENGINE@}
# Name, first trajectory, and the first one no longer in the part.
read -r name from to < <(sed -n "${SLURM_ARRAY_TASK_ID}p" parts.txt)
# srun hands signals of Slurm on to the engine, which keeps a checkpoint.
srun --ntasks=1 "$engine" @RUN@ --shard "$from..$to" --out "parts/$name" --threads @THREADS@ --with-parent
code=$?
# 4 means "try again later": interrupted, or another process still holds the folder. From 128 on it was killed.
if { [ "$code" = 4 ] || [ "$code" -ge 128 ]; } && [ "${SLURM_RESTART_COUNT:-0}" -lt 20 ]; then
    exec scontrol requeue "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}"
fi
exit "$code"
