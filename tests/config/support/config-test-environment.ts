import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { checkSiteConfig, loadEnvironment, type Environment, type SiteConfigInput } from '@quire/config';
import { identifier } from '@quire/database';
import { AdminService, AppContainer, startProcess, type RunningProcess } from '@quire/standalone';
import { tenantSchema } from '@quire/tenancy';
import { createClient, testStores, type Client } from '@quire/testing';
import { apiTargets, serviceNames, variableName, type Target } from '@quire/topology';
import pg from 'pg';

/** Where nothing listens. */
const unused = 'http://127.0.0.1:1';
let count = 0;

async function executeOnServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: testStores().databaseUrl });
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** What an installation is started with. */
export interface InstallationOptions {
  /** What its cms.config.mjs would say. */
  site?: SiteConfigInput;
  /** Variables that differ from those of the testEnvironment. */
  environment?: Partial<Environment>;
  /** Unless given, all that serves requests. */
  targets?: readonly Target[];
}

/**
 * Installations in configurations that the suites' own does not have, on a database of their own, one after or beside
 * another.
 */
export class ConfigTestEnvironment {
  /** The last started first, since it may ask those before it. */
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
      CMS_INTERNAL_SECRET: randomBytes(32).toString('hex'),
    };
    const installation = new AppContainer(environment, { defaultLocale: 'en' }, ['tests']);
    const adminService = new AdminService(installation);
    await adminService.migrate();
    // An only site would answer for every host.
    await adminService.createTenant({ id: 'another', database: null }, ['another.example']);
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
   * Starts an installation whose services run apart. Services know the addresses of those that start before them only,
   * which is enough for what they ask at start. @returns the origin of its gateway.
   */
  async startApart({ site = {} }: Pick<InstallationOptions, 'site'> = {}): Promise<string> {
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
    const setupLink = await this.adminService.createTenant({ id: tenant, database: null }, [host]);
    return { tenant, host, setupLink: String(setupLink) };
  }

  /** A client of a site as one of its users: every answer is held against the OpenAPI document. */
  async client(
    origin: string,
    { tenant, host }: { tenant: string; host: string },
    role: string,
  ): Promise<Client> {
    const email = `${role}@${host}`;
    const token = await this.adminService.createToken({ tenant, role, email, scopes: [] });
    return createClient({ origin }, { host }, { token });
  }

  /** Runs a statement on what the installations store of a site. */
  async sql(tenant: string, statement: string): Promise<void> {
    const client = new pg.Client({
      connectionString: this.environment.DATABASE_URL,
      options: `-c search_path=${identifier(tenantSchema({ id: tenant }))}`,
    });
    await client.connect();
    await client.query(statement);
    await client.end();
  }

  /** Stops the installations that a test started, so that they do not use up the connections of the server. */
  async stopAllExcept(kept?: string): Promise<void> {
    const stopped = this.running.filter(({ origin }) => origin !== kept);
    this.running = this.running.filter(({ origin }) => origin === kept);
    for (const { process } of stopped) await process.stop();
  }

  async close(): Promise<void> {
    await this.stopAllExcept();
    await this.installation.lifecycle.stop();
    await executeOnServer(`DROP DATABASE ${this.database} WITH (FORCE)`);
  }
}
