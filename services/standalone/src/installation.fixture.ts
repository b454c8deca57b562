import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadEnvironment, type Environment, type SiteConfig } from '@quire/config';
import { testStores } from '@quire/testing';
import type { Target } from '@quire/topology';
import pg from 'pg';
import { AdminService } from './admin-service.js';
import { createProgram } from './commands/program.js';
import { AppContainer } from './app-container.js';
import { startProcess, type RunningProcess } from './process.js';

/** An installation with its own database and data folder, for one spec file. */
export interface TestInstallation {
  environment: Environment;
  installation: AppContainer;
  adminService: AdminService;
  /** Starts targets in this process. */
  start(
    targets: readonly Target[],
    site?: SiteConfig,
    changes?: Partial<Environment>,
  ): Promise<RunningProcess>;
  /** Runs a command of `cms`, by default on this installation. @returns its result line */
  run(
    command: string,
    values?: Record<string, string | boolean | string[]>,
    positionals?: string[],
    on?: {
      adminService: AdminService;
      installation: AppContainer;
      print?: (line: string) => Promise<void>;
    },
  ): Promise<string>;
  close(): Promise<void>;
}

/** @param name unique name of the spec */
export async function openInstallation(name: string): Promise<TestInstallation> {
  const database = `spec_${name}_${process.pid}`;
  await onServer(`CREATE DATABASE ${database}`);
  const url = Object.assign(new URL(testStores().databaseUrl), { pathname: `/${database}` });
  const dataDir = await mkdtemp(join(tmpdir(), `quire-${name}-`));
  const environment: Environment = {
    ...loadEnvironment(),
    CMS_DATA_DIR: dataDir,
    DATABASE_URL: url.href,
    CMS_LOG_LEVEL: 'silent',
  };
  const installation = new AppContainer(environment, { defaultLocale: 'en' }, ['spec']);
  const adminService = new AdminService(installation);
  await adminService.migrate();
  return {
    environment,
    installation,
    adminService,
    start: (targets, site = { defaultLocale: 'en' }, changes = {}) =>
      startProcess({ targets, environment: { ...environment, ...changes }, site, port: 0 }),
    async run(command, values = {}, positionals = [], on = { adminService, installation }) {
      const output = {
        print: () => Promise.resolve(),
        ...on,
        stopSignal: () => new AbortController().signal,
      };
      let line = '';
      const program = createProgram(async (run) => void (line = (await run(output)) ?? ''));
      const args = [...command.split(' '), ...positionals, ...Object.entries(values).flatMap(toArguments)];
      await program.parseAsync(args, { from: 'user' });
      return line;
    },
    async close() {
      await installation.lifecycle.stop();
      await rm(dataDir, { recursive: true, force: true });
      await onServer(`DROP DATABASE ${database} WITH (FORCE)`);
    },
  };
}

/** An option of a command as the arguments of the command line. */
function toArguments([name, value]: [string, string | boolean | string[]]): string[] {
  if (typeof value === 'boolean') return value ? [`--${name}`] : [];
  return [value].flat().flatMap((each) => [`--${name}`, each]);
}

/** Calls the API of a running process as an administrator. */
export function clientOf({ port }: RunningProcess, token: string) {
  return async (method: string, path: string, body?: object) => {
    const response = await fetch(`http://127.0.0.1:${port}/_cms/api${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const parsed = (await response.json()) as {
      data?: { item: { locale: string } };
      error?: { message: string };
    };
    return { status: response.status, ...parsed };
  };
}

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: testStores().databaseUrl });
  await client.connect();
  await client.query(statement);
  await client.end();
}
