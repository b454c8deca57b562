import type { Blocker, Plan, Warning } from './plan.js';

/** Items of each list at most (spec document 2, Limits). */
const maxItems = 50;

interface Listed<Item> {
  /** Number of all items. */
  total: number;
  items: Item[];
}

type IssueSummary = Pick<Blocker | Warning, 'code' | 'message' | 'kind' | 'id' | 'count'> & {
  property?: string | number;
};

/** A plan in results of tools (contract 12): without mail addresses and contents of records. */
export interface PlanSummary {
  packageDigest: string;
  planDigest: string;
  executable: boolean;
  origin: { siteId: string; packageId: string; createdAt: string; version: string };
  counts: Plan['counts'];
  bytes: Plan['bytes'];
  principals: Listed<{
    id: string;
    displayName: string;
    references: number;
    suggestedUserId: string | null;
    mappedUserId: string | null;
  }>;
  decisions: Pick<Plan['decisions'], 'siteTitle' | 'siteTagline'>;
  transformations: Plan['transformations'];
  warnings: Listed<IssueSummary>;
  blockers: Listed<IssueSummary>;
  estimatedSteps: number;
}

/** The summary of a plan, for the results of tools. */
export function toPlanSummary(plan: Plan, planDigest: string): PlanSummary {
  const { packageDigest, counts, bytes, transformations, estimatedSteps } = plan;
  const { createdByVersion: version, ...origin } = plan.origin;
  const { principalMappings, siteTitle, siteTagline } = plan.decisions;
  return {
    ...{ packageDigest, planDigest, executable: plan.blockers.length === 0 },
    origin: { ...origin, version },
    ...{ counts, bytes },
    principals: listed(plan.principals, ({ id, displayName, references, suggestedUserId = null }) => ({
      ...{ id, displayName: isAddress(displayName) ? id : displayName, references, suggestedUserId },
      mappedUserId: principalMappings[id] ?? null,
    })),
    decisions: { siteTitle, siteTagline },
    transformations,
    warnings: listed(plan.warnings, toIssueSummary),
    blockers: listed(plan.blockers, toIssueSummary),
    estimatedSteps,
  };
}

function listed<Item, Summary>(items: readonly Item[], summaryOf: (item: Item) => Summary): Listed<Summary> {
  return { total: items.length, items: items.slice(0, maxItems).map((item) => summaryOf(item)) };
}

/** Of the details only the name of the property: others may be values of the record. */
function toIssueSummary({ detail, ...issue }: Blocker | Warning): IssueSummary {
  const property = detail?.['property'];
  return property === undefined ? issue : { ...issue, property };
}

/** Packages of other programs may have the address of a user without a name as its name. */
function isAddress(displayName: string): boolean {
  return /\S@\S/.test(displayName);
}
