import { z } from 'zod';

const count = z.number().int();

export const siteJobsSchema = z
  .object({
    queues: z.array(
      z.object({
        queue: z.string(),
        waiting: count,
        active: count,
        delayed: count,
        failed: count,
        /** Whether an operator has paused the jobs of the site, or those of all sites. */
        isPaused: z.boolean(),
        /** False: the queue has more jobs than were read, so the numbers may be larger. */
        isComplete: z.boolean(),
      }),
    ),
    /** The last 50, the newest first. */
    failed: z.array(
      z.object({
        id: z.string(),
        queue: z.string(),
        job: z.string(),
        attempts: count,
        failedAt: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'SiteJobs' });
