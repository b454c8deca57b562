import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { checkSiteConfig, loadEnvironment, type Environment, type SiteConfigInput } from '@quire/config';
import { identifier } from '@quire/database';
import { AdminService, AppContainer, startProcess, type RunningProcess } from '@quire/standalone';
import { tenantSchema } from '@quire/tenancy';
import { createClient, testStores, useFixture, type Client } from '@quire/testing';
import { apiTargets, serviceNames, variableName, type Target } from '@quire/topology';
import pg from 'pg';

/** An address without a server. */
const unused = 'http://127.0.0.1:1';
let count = 0;

async function executeOnServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: testStores().databaseUrl });
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** Options of an installation. */
export interface InstallationOptions {
  /** Its site configuration, as in cms.config.mjs. */
  site?: SiteConfigInput;
  /** Variables that differ from those of the test environment. */
  environment?: Partial<Environment>;
  /** Default: all targets that serve requests. */
  targets?: readonly Target[];
}

/**
 * Starts installations in other configurations than the suite's system, on a separate database, sequentially or in
 * parallel.
 */
export class ConfigTestEnvironment {
  /** In reverse order of the start, because an installation may call earlier ones when it stops. */
  private running: { origin: string; process: RunningProcess }[] = [];

  private constructor(
    readonly adminService: AdminService,
    private readonly installation: AppContainer,
    readonly environment: Environment,
    private readonly database: string,
  ) {}

  static async open(): Promise<ConfigTestEnvironment> {
    const database = `mode_${randomBytes(6).toString('hex')}`;
    await executeOnServer(`CREATE DATABASE ${database}`);
    const url = Object.assign(new URL(testStores().databaseUrl), { pathname: `/${database}` });
    const environment: Environment = {
      ...loadEnvironment(),
      DATABASE_URL: url.href,
      CMS_LOG_LEVEL: 'silent',
      CMS_INTERNAL_SECRET: [randomBytes(32).toString('hex')],
    };
    const installation = new AppContainer(environment, { defaultLocale: 'en' }, ['tests']);
    const adminService = new AdminService(installation);
    await adminService.migrate();
    // A single site would serve every host.
    await adminService.tenants.create({ id: 'another', database: null }, ['another.example']);
    return new ConfigTestEnvironment(adminService, installation, environment, database);
  }

  /** Starts an installation, or a part of one. @returns the origin of its gateway, or of the part. */
  async start({
    site = {},
    environment = {},
    targets = apiTargets,
  }: InstallationOptions = {}): Promise<string> {
    const process = await startProcess({
      targets,
      environment: { ...this.environment, ...environment },
      site: checkSiteConfig(site, 'cms.config.mjs'),
      port: 0,
    });
    const origin = `http://127.0.0.1:${process.port}`;
    this.running.unshift({ origin, process });
    return origin;
  }

  /**
   * Starts an installation with one process for each service. A service knows only the addresses of the services that
   * start before it, which suffices for its requests at the start.
   * @returns the origin of its gateway
   */
  async startDistributed({ site = {} }: Pick<InstallationOptions, 'site'> = {}): Promise<string> {
    const environment: Partial<Environment> = Object.fromEntries(
      serviceNames.map((service) => [variableName(service, 'URL'), unused]),
    );
    for (const service of serviceNames)
      environment[variableName(service, 'URL')] = await this.start({ site, environment, targets: [service] });
    return this.start({ site, environment, targets: ['gateway'] });
  }

  /** A new site, without any user. */
  async newSite(): Promise<{ tenant: string; host: string; setupLink: string }> {
    count += 1;
    const tenant = `m${count}-${randomBytes(3).toString('hex')}`;
    const host = `${tenant}.example`;
    const setupLink = await this.adminService.tenants.create({ id: tenant, database: null }, [host]);
    return { tenant, host, setupLink: String(setupLink) };
  }

  /** A client with a token of a user of the role; every response is checked against the OpenAPI document. */
  async client(
    origin: string,
    { tenant, host }: { tenant: string; host: string },
    role: string,
  ): Promise<Client> {
    const email = `${role}@${host}`;
    const token = await this.adminService.createToken({ tenant, role, email, scopes: [] });
    return createClient({ origin }, { host }, { token });
  }

  /** Runs a statement in the schema of a site. */
  async sql(tenant: string, statement: string): Promise<void> {
    const client = new pg.Client({
      connectionString: this.environment.DATABASE_URL,
      options: `-c search_path=${identifier(tenantSchema({ id: tenant }))}`,
    });
    await client.connect();
    await client.query(statement);
    await client.end();
  }

  /** Stops installations, so that they do not use up the connections of the database server. */
  async stopAllExcept(remaining?: string): Promise<void> {
    const stopped = this.running.filter(({ origin }) => origin !== remaining);
    this.running = this.running.filter(({ origin }) => origin === remaining);
    for (const { process } of stopped) await process.stop();
  }

  async close(): Promise<void> {
    await this.stopAllExcept();
    await this.installation.lifecycle.stop();
    await executeOnServer(`DROP DATABASE ${this.database} WITH (FORCE)`);
  }
}

/** Opens a test environment for a file, and closes it after the tests. */
export function useConfigTestEnvironment(): ConfigTestEnvironment {
  return useFixture(() => ConfigTestEnvironment.open(), { timeoutMs: 60_000 });
}
