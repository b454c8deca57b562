import { isStoreFailure, type JobQueue, type NewJob } from '../backend/index.js';

export interface RejectedJob {
  job: NewJob;
  error: unknown;
}

/**
 * Adds jobs to a queue. When the queue rejects values, the jobs are added in halves until each rejected job is found.
 * @returns the rejected jobs; all others were added
 * @throws the error of an unavailable store
 */
export async function addJobs(queue: JobQueue, jobs: readonly NewJob[]): Promise<RejectedJob[]> {
  try {
    await queue.addAll(jobs);
    return [];
  } catch (error) {
    if (isStoreFailure(error)) throw error;
    const [job, second] = jobs;
    if (!job) return [];
    if (!second) return [{ job, error }];
    const middle = Math.ceil(jobs.length / 2);
    return [...(await addJobs(queue, jobs.slice(0, middle))), ...(await addJobs(queue, jobs.slice(middle)))];
  }
}

const maxFailureCharacters = 200;

/**
 * The failure of a rejected job as one line: the code and the message of its error, and nothing else, since other
 * properties of database errors quote values.
 */
export function describeRejection(error: unknown): string {
  const { code, message } =
    error instanceof Error ? (error as Error & { code?: unknown }) : { message: String(error) };
  const text = typeof code === 'string' ? `${code}: ${message}` : message;
  return text.replace(/[\p{Cc}\s]+/gu, ' ').slice(0, maxFailureCharacters);
}
