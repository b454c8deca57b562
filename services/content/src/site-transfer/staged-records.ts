import { StagedRecords } from '@quire/site-records';

/** The copies of this service's records. */
export const stagedRecords = new StagedRecords('content');
