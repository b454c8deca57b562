import { maxWrittenRecords } from '@quire/internal-api';
import type { Context } from '@quire/context';
import {
  canonicalDigestOf,
  formatVersion,
  recordKinds,
  type Digest,
  type Manifest,
} from '@quire/site-package';
import type { Tenant } from '@quire/tenancy';
import type { TransferDeps } from '../../../transfer-deps.js';
import type { OperationRow } from '../../operations/operations.repository.js';
import type { AnalysisCursor } from '../analysis/analysis-cursor.js';
import { IssueList, type StoredIssues } from '../analysis/issues/issue-list.js';
import { readManifest } from '../analysis/read-manifest.js';
import { inspectTarget, type Target } from './inspect-target.js';
import { mapPrincipals } from './map-principals.js';
import { planSchema, type Decisions, type Plan, type Warning } from './plan.js';

/** Steps of an import beside those that write and compare records. */
const fixedSteps = 6;
/** Media files that one step stores. */
const mediaFilesPerStep = 100;

/**
 * Makes the plan of an analyzed package. It follows from the package, the decisions and the state of the site: equal
 * ones give the equal plan and digest.
 * @param operation an import whose records are analyzed
 * @throws QuireError SERVICE_UNAVAILABLE, TRANSFER_STORAGE_ERROR
 */
export async function makePlan(
  ctx: Context,
  deps: Pick<TransferDeps, 'clients' | 'store' | 'options'>,
  operation: OperationRow,
  decisions: Decisions = {},
): Promise<{ plan: Plan; planDigest: Digest }> {
  const { cursor, id } = operation;
  const analysis: AnalysisCursor = cursor.analysis ?? { issues: new IssueList().save() };
  const issues = new IssueList(analysis.issues);
  const manifest = await readManifest(ctx, deps.store, id);
  const target = await inspectTarget(ctx, deps, { locales: analysis.locales, issues });
  checkSiteLimits(issues, ctx.principal.tenant, manifest);
  const { named, others } = analysis.principals ?? { named: [], others: {} };
  const { principals, mappings } = await mapPrincipals(ctx, deps, { named, decisions, issues });
  const settings = settingsOf(analysis, target);
  const { siteTitle = 'package', siteTagline = 'package' } = decisions;
  const transformations = [
    ...target.scaffold,
    ...unmappedPrincipals({ named, others }, mappings),
    ...keptName('title_kept', siteTitle, settings.title),
    ...keptName('tagline_kept', siteTagline, settings.tagline),
  ];
  const stored = issues.save();
  const plan = planSchema.parse({
    ...factsOf(ctx, deps, operation, manifest),
    principals,
    settings,
    decisions: { principalMappings: mappings, siteTitle, siteTagline },
    transformations,
    warnings: warningsOf(stored),
    blockers: stored.blockers,
    estimatedSteps: stepsOf(manifest),
  });
  return { plan, planDigest: canonicalDigestOf(plan) };
}

/** An import needs an empty site, so the package has all entries and files that count. */
function checkSiteLimits(issues: IssueList, { limits }: Tenant, manifest: Manifest | undefined): void {
  const check = (property: string, count: number, limit = Infinity) => {
    if (count <= limit) return;
    const message = `The package has more than the limits of this site allow: ${property}`;
    issues.block({ code: 'limit_exceeded', message, property, detail: { count, limit } });
  };
  check('entries', manifest?.counts.entries ?? 0, limits?.entries);
  check('bytes of media files', manifest?.media.bytes ?? 0, limits?.mediaBytes);
}

/** What the manifest says. Its properties are empty in the plan of a package of an unknown format. */
function factsOf(
  ctx: Context,
  { options }: Pick<TransferDeps, 'options'>,
  { packageDigest, originSiteId }: OperationRow,
  manifest: Manifest | undefined,
): Pick<Plan, 'formatVersion' | 'origin' | 'target' | 'counts' | 'bytes'> & { packageDigest: string | null } {
  return {
    formatVersion,
    packageDigest,
    origin: {
      siteId: manifest?.siteId ?? originSiteId ?? '',
      packageId: manifest?.packageId ?? '',
      createdAt: manifest?.createdAt ?? '',
      createdByVersion: manifest?.createdBy.version ?? '',
    },
    target: { siteId: ctx.principal.tenant.id, dialect: 'postgres', version: options.version },
    counts: countsOf(manifest),
    bytes: { records: manifest?.records.bytes ?? 0, media: manifest?.media.bytes ?? 0 },
  };
}

function countsOf(manifest: Manifest | undefined): Plan['counts'] {
  return Object.fromEntries(
    recordKinds.flatMap((kind) => {
      const count = manifest?.counts[kind] ?? 0;
      return count > 0 ? [[kind, count] as const] : [];
    }),
  );
}

function settingsOf({ names }: AnalysisCursor, target: Target): Plan['settings'] {
  const setting = (name: 'title' | 'tagline') => ({
    ...(names?.[name] !== undefined && { package: names[name] }),
    ...(target.names[name] !== undefined && { target: target.names[name] }),
  });
  return { title: setting('title'), tagline: setting('tagline') };
}

/** Records that lose their user, by kind. */
function unmappedPrincipals(
  { named, others }: NonNullable<AnalysisCursor['principals']>,
  mappings: Plan['decisions']['principalMappings'],
): Plan['transformations'] {
  const unmapped = named.filter(({ id }) => mappings[id] === null).map(({ references }) => references);
  return recordKinds.flatMap((kind) => {
    const count = [...unmapped, others].reduce((sum, references) => sum + (references[kind] ?? 0), 0);
    return count > 0 ? [{ code: 'principals_unmapped', kind, count }] : [];
  });
}

function keptName(
  code: string,
  source: 'package' | 'target',
  setting: Plan['settings']['title'],
): Plan['transformations'] {
  const isKept = source === 'target' && setting.target !== setting.package;
  return isKept ? [{ code, kind: 'settings', count: 1 }] : [];
}

function warningsOf({ warnings, omitted }: StoredIssues): Warning[] {
  if (omitted === 0) return warnings;
  const message = 'The package has more kinds of issues than a plan lists';
  return [...warnings, { code: 'issues_truncated', message, count: omitted }];
}

/** Every batch of records is written and compared once. */
function stepsOf(manifest: Manifest | undefined): number {
  const batches = Object.values(manifest?.counts ?? {}).reduce(
    (sum, count) => sum + Math.ceil(count / maxWrittenRecords),
    0,
  );
  return fixedSteps + 2 * batches + Math.ceil((manifest?.media.count ?? 0) / mediaFilesPerStep);
}
