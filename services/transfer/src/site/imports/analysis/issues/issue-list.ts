import type { RecordKind } from '@quire/site-package';
import type { Blocker, BlockerCode, Warning, WarningCode } from '../../plan/plan.js';

/** Issues of each severity that a plan lists. */
const maxIssues = 100;

/** The issues so far, as the cursor of an import has them. */
export interface StoredIssues {
  blockers: Blocker[];
  warnings: Warning[];
  /** Number of issues that were found beyond the limits. */
  omitted: number;
}

/** What an analysis found: a record, or something of the package itself. */
export interface Finding<Code> {
  code: Code;
  message: string;
  kind?: RecordKind;
  /** Key of the record. */
  id?: string;
  /** Findings with the same code, kind and property are one issue. */
  property?: string;
  /** Further facts, of the first finding. */
  detail?: Record<string, string | number>;
  /** Number of records; 1 unless given. */
  count?: number;
}

const maxDetailLength = 200;

/** Issues, aggregated by code, kind and property: each has its first record and the number of records. */
export class IssueList {
  private readonly blockers: Blocker[];
  private readonly warnings: Warning[];
  private omitted: number;

  /** @param stored of `save`; none without it */
  constructor(stored: StoredIssues = { blockers: [], warnings: [], omitted: 0 }) {
    this.blockers = stored.blockers.map((issue) => ({ ...issue }));
    this.warnings = stored.warnings.map((issue) => ({ ...issue }));
    this.omitted = stored.omitted;
  }

  /** Adds a reason for which the package cannot be imported. */
  block(finding: Finding<BlockerCode>): void {
    this.add(this.blockers, finding);
  }

  /** Adds what an import changes or leaves out without failing. */
  warn(finding: Finding<WarningCode>): void {
    this.add(this.warnings, finding);
  }

  hasBlocker(...codes: BlockerCode[]): boolean {
    return this.blockers.some(({ code }) => codes.includes(code));
  }

  save(): StoredIssues {
    return { blockers: this.blockers, warnings: this.warnings, omitted: this.omitted };
  }

  private add<Code extends string>(
    issues: (Omit<Blocker, 'code'> & { code: Code })[],
    { code, message, kind, id, property, detail, count = 1 }: Finding<Code>,
  ): void {
    const same = issues.find(
      (issue) => issue.code === code && issue.kind === kind && issue.detail?.['property'] === property,
    );
    if (same) {
      same.count = (same.count ?? 0) + count;
      return;
    }
    if (issues.length >= maxIssues) {
      this.omitted += count;
      return;
    }
    const facts = { ...(property !== undefined && { property }), ...detail };
    issues.push({
      code,
      message,
      ...(kind && { kind }),
      ...(id !== undefined && { id: shortened(id) }),
      count,
      ...(Object.keys(facts).length > 0 && { detail: shortFacts(facts) }),
    });
  }
}

function shortFacts(facts: Record<string, string | number>): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(facts).map(([name, fact]) => [name, typeof fact === 'string' ? shortened(fact) : fact]),
  );
}

function shortened(text: string): string {
  return text.length > maxDetailLength ? `${text.slice(0, maxDetailLength)}…` : text;
}
