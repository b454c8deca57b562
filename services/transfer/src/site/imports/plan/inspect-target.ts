import type { Context } from '@quire/context';
import { contentApi, contentImportApi } from '@quire/internal-api';
import { recordKinds } from '@quire/site-package';
import type { TransferDeps } from '../../../transfer-deps.js';
import type { AnalysisCursor } from '../analysis/analysis-cursor.js';
import type { IssueList } from '../analysis/issues/issue-list.js';
import { inspectSite } from '../inspect-site.js';
import type { Plan } from './plan.js';

/** The form of locale codes, for a site that accepts any of them. Indexes have them. */
const localeCode = /^(?!.{65})[a-z]{2,3}(-[a-z0-9]{2,8})*$/i;

/** What a plan needs to know of the site that receives the import. */
export interface Target {
  names: { title?: string | undefined; tagline?: string | undefined };
  /** Records that the import deletes first, by kind. */
  scaffold: Plan['transformations'];
}

/**
 * Inspects the site that receives an import.
 * @param issues gets `target_not_empty` for each kind with records of users, and `locale_not_configured`
 * @throws QuireError SERVICE_UNAVAILABLE
 */
export async function inspectTarget(
  ctx: Context,
  { clients }: Pick<TransferDeps, 'clients'>,
  { locales, issues }: { locales: AnalysisCursor['locales']; issues: IssueList },
): Promise<Target> {
  const { blockers, scaffold } = await inspectSite(ctx, { clients });
  for (const { kind, count } of blockers) {
    const message = 'The site has records of its own; an import needs an empty site';
    issues.block({ code: 'target_not_empty', message, kind, count });
  }
  const targets = await clients.content.call(contentImportApi.getImportTargets, ctx);
  checkLocales(issues, locales ?? {}, targets.locales);
  return {
    names: await clients.content.call(contentApi.getSiteNames, ctx),
    scaffold: recordKinds.flatMap((kind) => {
      const count = scaffold.filter((record) => record.kind === kind).length;
      return count > 0 ? [{ code: 'scaffold_deleted', kind, count }] : [];
    }),
  };
}

/** Codes are compared without case, as the site compares them. */
function checkLocales(
  issues: IssueList,
  found: NonNullable<AnalysisCursor['locales']>,
  configured: readonly string[] | null,
): void {
  const accepted = configured && new Set(configured.map((locale) => locale.toLowerCase()));
  for (const kind of recordKinds)
    for (const [locale, { id, count }] of Object.entries(found[kind] ?? {})) {
      const finding = { kind, id, count, property: `locale ${locale}`, detail: { locale } };
      if (!localeCode.test(locale))
        issues.block({
          ...finding,
          code: 'value_constraint_violation',
          message: 'A locale is no locale code',
        });
      else if (accepted && !accepted.has(locale.toLowerCase()))
        issues.block({
          ...finding,
          code: 'locale_not_configured',
          message: `The locale ${locale} is not configured in this site`,
        });
    }
}
