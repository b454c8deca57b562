import type { Context } from '@quire/context';
import {
  authApi,
  contentApi,
  contentImportApi,
  recordOwners,
  siteRecords,
  type InternalOperation,
  type ResponseOf,
} from '@quire/internal-api';
import type { SitePackage } from '@quire/testing';
import type { TransferDeps } from '../../../../transfer-deps.js';
import type { OperationRow } from '../../../operations/operations.repository.js';
import { insertImport } from '../../../testing/stored-package.fixture.js';
import { openTransferTenant, type TransferTenant } from '../../../testing/transfer-tenant.fixture.js';
import type { Plan } from '../../plan/plan.js';
import { analyzeTransferImport } from '../analyze-transfer-import.js';

/** The other services, in memory: a site without records of users. */
export class FakeSite {
  readonly users = [
    { id: 'user-ada', email: 'ada@example.com' },
    { id: 'user-eva', email: 'eva@example.com' },
  ];
  locales: string[] | null = null;
  names: { title?: string; tagline?: string } = { title: 'Target' };
  inspection: ResponseOf<typeof siteRecords.content.inspect> = { blockers: [], scaffold: [] };
  /** Called before a call is answered: it may throw. */
  beforeCall: (operation: InternalOperation) => Promise<void> | void = () => undefined;

  clientOf(service: string) {
    return {
      call: async (operation: InternalOperation, _ctx: Context, input: Record<string, unknown>) => {
        await this.beforeCall(operation);
        return this.answer(service, operation.id, input);
      },
    };
  }

  private answer(service: string, id: string, input: Record<string, unknown>): unknown {
    switch (id) {
      case authApi.usersByIds.id:
        return { items: this.users.filter((user) => (input['ids'] as string[]).includes(user.id)) };
      case authApi.usersByEmails.id:
        return { items: this.usersByEmails(input['emails'] as string[]) };
      case siteRecords.content.inspect.id:
        return service === 'content' ? this.inspection : { blockers: [], scaffold: [] };
      case contentImportApi.getImportTargets.id:
        return { collections: [], taxonomies: [], defaultLocale: 'en', locales: this.locales };
      case contentApi.getSiteNames.id:
        return this.names;
      case siteRecords.content.discard.id:
        return {};
      default:
        throw new Error(`${id} is not planned`);
    }
  }

  private usersByEmails(emails: readonly string[]) {
    return emails.flatMap((email) => {
      const user = this.users.find((each) => each.email === email.toLowerCase());
      return user ? [{ id: user.id, email }] : [];
    });
  }
}

/** Analyses of packages on real tables and a real store, with fake services. */
export interface Analyses extends Omit<TransferTenant, 'depsWith' | 'storeErrors'> {
  deps: TransferDeps;
  site: FakeSite;
  /** Stores all files of a package, as their upload does. @returns the id of the import */
  upload(sitePackage: SitePackage): Promise<string>;
  /** Uploads a package and takes the steps of its analysis. */
  plan(sitePackage: SitePackage): Promise<Plan>;
  /** Takes steps until none is left. */
  finish(id: string, decisions?: unknown): Promise<OperationRow>;
}

/** @param name unique name of the tenant */
export async function openAnalyses(name: string): Promise<Analyses> {
  const tenant = await openTransferTenant(name);
  const { ctx, store } = tenant;
  const site = new FakeSite();
  const clients = Object.fromEntries(
    [...recordOwners, 'auth'].map((service) => [service, site.clientOf(service)]),
  );
  const deps = tenant.depsWith({ clients, options: { version: '1.0.0', maxMediaBytes: 1000 } });
  const analyses: Analyses = {
    ...tenant,
    deps,
    site,
    async upload(sitePackage) {
      // A site has one active import at a time.
      await ctx.db.query("UPDATE transfer_operations SET state = 'abandoned' WHERE kind = 'import'");
      const originSiteId = sitePackage.manifest.siteId;
      return insertImport(ctx, store, { sitePackage, state: 'uploading', originSiteId });
    },
    async finish(id, decisions) {
      for (let steps = 0; steps < 200; steps += 1) {
        await tenant.endDelay(id);
        const { nextRequestInMs } = await analyzeTransferImport(ctx, deps, { id, decisions });
        if (nextRequestInMs === null) return tenant.operation(id);
      }
      throw new Error('The analysis does not end');
    },
    async plan(sitePackage) {
      const { plan, ...row } = await analyses.finish(await analyses.upload(sitePackage));
      if (!plan) throw new Error(`There is no plan: ${JSON.stringify(row)}`);
      return plan;
    },
  };
  return analyses;
}
