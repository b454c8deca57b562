import type { ImportPlan, PlanIssue } from './import-api.js';

const mebibyte = 1024 * 1024;
const maxListed = 20;

/** The plan as lines for a reader. */
export function describePlan({
  origin,
  counts,
  bytes,
  principals,
  decisions,
  warnings,
  blockers,
}: ImportPlan): string[] {
  const { principalMappings, siteTitle, siteTagline } = decisions;
  const users = principals.map(
    ({ id, displayName, email, references }) =>
      `  ${displayName}${email === undefined ? '' : ` <${email}>`} (${id}), ${references} records -> ${
        principalMappings[id] ?? 'no user'
      }`,
  );
  return [
    `Package of the site ${origin.siteId}, exported ${origin.createdAt}`,
    ...Object.entries(counts).map(([kind, count]) => `  ${kind}: ${count}`),
    `  ${megabytes(bytes.records)} of records, ${megabytes(bytes.media)} of media`,
    ...listed('Users', users),
    `Title of the ${siteTitle}, tagline of the ${siteTagline}`,
    ...listed('Warnings', warnings.map(describeIssue)),
    ...listed('The import cannot run', blockers.map(describeIssue)),
  ];
}

function listed(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const rest = lines.length - maxListed;
  return [`${title}:`, ...lines.slice(0, maxListed), ...(rest > 0 ? [`  and ${rest} more`] : [])];
}

function describeIssue({ code, message, count }: PlanIssue): string {
  return `  ${code}${count === undefined ? '' : ` (${count})`}: ${message}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / mebibyte).toFixed(1)} MiB`;
}
