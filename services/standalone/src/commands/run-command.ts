import { InvalidArgumentError } from 'commander';
import { defaultTenantId } from '@quire/tenancy';
import type { AdminService } from '../admin-service.js';
import type { AppContainer } from '../app-container.js';
import { defaultJobs } from '../for-each-site.js';

export interface CommandDeps {
  adminService: AdminService;
  installation: AppContainer;
  /** Prints a line. The promise settles when the reader has taken the line. */
  print: (line: string) => Promise<void>;
  /** A signal that SIGINT and SIGTERM abort. From the call on they no longer end the process by themselves. */
  stopSignal: () => AbortSignal;
}

/** Opens the installation, calls the function and prints the line that it returns. */
export type RunCommand = (run: (deps: CommandDeps) => Promise<string | void>) => Promise<void>;

/** Arguments of `option()` for the site of a command. */
export const tenantOption = ['--tenant <id>', 'The site.', defaultTenantId] as const;

/** Collects the values of an option that may be repeated. */
export const collect = (value: string, earlier: readonly string[] = []): string[] => [...earlier, value];

const maxJobs = 32;

/** Arguments of `option()` for the number of sites that a command works on at the same time. */
export const jobsOption = [
  '--jobs <number>',
  `Sites at the same time, 1 to ${maxJobs}. The default is ${defaultJobs}.`,
  jobsOf,
] as const;

function jobsOf(text: string): number {
  const jobs = Number(text);
  if (Number.isInteger(jobs) && jobs >= 1 && jobs <= maxJobs) return jobs;
  throw new InvalidArgumentError(`It must be a number from 1 to ${maxJobs}.`);
}
