import type { ImportPlan, PlanIssue, PlannedSetting, Transformation } from './import-api.js';

const mebibyte = 1024 * 1024;
const maxListed = 20;

/** What an import changes beside writing the records, by the code of the plan. Title and tagline have lines. */
const changes: Readonly<Record<string, string>> = {
  scaffold_deleted: 'deleted, which the site has from its setup',
  principals_unmapped: 'imported without their user',
};

/** The plan as lines for a reader. */
export function describePlan(plan: ImportPlan): string[] {
  const { origin, counts, bytes, decisions, settings, transformations, warnings, blockers } = plan;
  return [
    `Package of the site ${origin.siteId}, exported ${origin.createdAt}`,
    ...Object.entries(counts).map(([kind, count]) => `  ${kind}: ${count}`),
    `  ${megabytes(bytes.records)} of records, ${megabytes(bytes.media)} of media`,
    ...listed('Users', usersOf(plan)),
    describeSetting('Title', settings.title, decisions.siteTitle),
    describeSetting('Tagline', settings.tagline, decisions.siteTagline),
    ...listed('Changes', transformations.flatMap(describeChange)),
    ...listed('Warnings', warnings.map(describeIssue)),
    ...listed('The import cannot run', blockers.map(describeIssue)),
  ];
}

function usersOf({ principals, decisions: { principalMappings } }: ImportPlan): string[] {
  return principals.map(({ id, displayName, email, references }) => {
    // A user without a name has its id as the name.
    const names = [
      ...(displayName === id ? [] : [displayName]),
      ...(email === undefined ? [] : [`<${email}>`]),
    ];
    const user = principalMappings[id] ?? 'no user';
    return `  ${[...names, `(${id})`].join(' ')}, ${references} records -> ${user}`;
  });
}

function describeSetting(name: string, setting: PlannedSetting, source: string): string {
  const { [source === 'target' ? 'target' : 'package']: after, target } = setting;
  const quoted = (text: string | undefined) => (text === undefined ? 'none' : `'${text}'`);
  const owner = source === 'target' ? 'this site' : 'the package';
  return `${name}: ${quoted(after)}, of ${owner}${after === target ? '' : `; this site has ${quoted(target)}`}`;
}

function describeChange({ code, kind, count }: Transformation): string[] {
  const change = changes[code];
  return change === undefined ? [] : [`  ${kind ?? code}: ${count} ${change}`];
}

function listed(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const rest = lines.length - maxListed;
  return [`${title}:`, ...lines.slice(0, maxListed), ...(rest > 0 ? [`  and ${rest} more`] : [])];
}

function describeIssue({ code, message, kind, id, count }: PlanIssue): string {
  const records = [
    kind,
    id === undefined ? undefined : `first ${id}`,
    count === undefined ? undefined : `${count}`,
  ];
  const facts = records.filter((fact) => fact !== undefined);
  return `  ${code}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}: ${message}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / mebibyte).toFixed(1)} MiB`;
}
