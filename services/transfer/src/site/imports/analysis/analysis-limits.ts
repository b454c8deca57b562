/** How much one step of an analysis does. */
export const analysisLimits = {
  /** Files whose objects are asked for. */
  filesPerStep: 500,
  /** Objects of the store that are asked for at a time. */
  concurrentChecks: 8,
  /** Batches of at most 1,000 records and 4 MiB. */
  batchesPerStep: 5,
  /** Checks over all records of a kind. */
  checksPerStep: 8,
} as const;

/** Principals that a plan lists and maps: those that most records name. */
export const maxPlannedPrincipals = 1000;

/** Times that an analysis begins again because the copies of keys were lost, before the import fails. */
export const maxAnalysisRestarts = 5;
