import { deletionWork, schedules } from '@quire/content-service';
import { objectDeletions, usageDeletions, usageRebuilds, usageWork } from '@quire/media-service';
import { searchTasks } from '@quire/search-service';
import type { DataServiceName } from '@quire/topology';
import { downloadTasks, importSteps, transferSteps } from '@quire/transfer-service';
import type { CountedTable } from '@quire/work-queue';

/** The tables of pending work in the shared schema of each service. */
export const sharedWork: Partial<Record<DataServiceName, readonly CountedTable[]>> = {
  content: [schedules, deletionWork],
  media: [usageWork, usageRebuilds, usageDeletions, objectDeletions],
  search: [searchTasks],
  transfer: [importSteps, downloadTasks, transferSteps],
};

/** Name without the schema. */
export const workName = ({ definition }: CountedTable): string =>
  definition.name.split('.').at(-1) ?? definition.name;
