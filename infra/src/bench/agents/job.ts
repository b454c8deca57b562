import { isDeepStrictEqual } from 'node:util';
import type { Agent } from './agent.js';
import type { JobSite } from './job-site.js';

/** A task with the calls of an agent that makes no mistake. It throws where a result is not as expected. */
export type Job = readonly [name: string, run: (agent: Agent, site: JobSite) => Promise<void>];

/** @throws Error where a result differs */
export function assertEqual(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected))
    throw new Error(`${JSON.stringify(actual)} is not ${JSON.stringify(expected)}`);
}
