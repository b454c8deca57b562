import { isDeepStrictEqual } from 'node:util';
import type { Context } from '@quire/context';
import { recordOwnerOf, siteRecords } from '@quire/internal-api';
import {
  keyOf,
  logicalBytesOf,
  recordDefinitions,
  recordKinds,
  RunningDigest,
  type RecordKind,
} from '@quire/site-package';
import type { TransferDeps } from '../../../../transfer-deps.js';
import { copyIdOf } from '../../../operations/copies.js';
import type { OperationStep } from '../../../operations/operation-step.js';
import type { OperationRow } from '../../../operations/operations.repository.js';
import { executionLimits, stepTime } from '../execution/execution-limits.js';
import { executionResult } from '../execution/execution-result.js';
import type { VerificationCursor } from '../../execution-cursor.js';
import { expectedRecords, type ExpectedRecords } from './expected-records.js';
import { difference, restartVerification, verificationOf } from './verification.js';

type Verified = VerificationCursor & { kind: RecordKind };

/** The copies of the site's records, which a crash of the database empties, are gone. */
class CopiesLost extends Error {}

/** Records that are compared: those of the package, and those of the site, which are still read. */
interface ComparedPage {
  present: Verified;
  expected: ExpectedRecords;
  reading: Promise<string[]>;
}

/**
 * Compares records of the site with those of the package in their common order, and adds them to the digest of the
 * site. Users are compared as the plan maps them; the digest leaves them out. The services read the next records while
 * some are compared.
 */
export const compareRecords: OperationStep = async (ctx, deps, operation) => {
  let verification: VerificationCursor = verificationOf(operation);
  const digest = await RunningDigest.open(verification.logicalState);
  const hasTime = stepTime();
  let units = 0;
  let page = isComparing(verification) ? beginPage(ctx, deps, operation, verification) : undefined;
  try {
    while (page) {
      const { present, expected, reading } = await page;
      const next = { ...present, ...expected.next, after: present.after + expected.lines.length };
      const canContinue = !expected.isEndOfKind && hasTime();
      page = canContinue ? beginPage(ctx, deps, operation, next) : undefined;
      const found = await reading;
      expected.lines.forEach((line, index) => digest.update(compared(present.kind, line, found[index])));
      if (expected.isEndOfFile) units += 1;
      verification = expected.isEndOfKind ? await atNextKind(ctx, deps, operation, next) : next;
      if (expected.isEndOfKind && isComparing(verification) && hasTime())
        page = beginPage(ctx, deps, operation, verification);
    }
  } catch (error) {
    if (error instanceof CopiesLost) return restartVerification(operation);
    throw error;
  }
  return executionResult(operation, {
    execution: { verification: { ...verification, logicalState: digest.save() } },
    work: { units },
  });
};

/** Begins to read a page. Its failure is that of the page, or of its `reading`. */
function beginPage(
  ctx: Context,
  deps: TransferDeps,
  operation: OperationRow,
  present: Verified,
): Promise<ComparedPage> {
  const page = expectedRecords(ctx, deps.store, operation, present).then((expected) => {
    const reading = readTarget(ctx, deps, operation, present, expected.lines.length);
    reading.catch(() => undefined);
    return { present, expected, reading };
  });
  // The page before may fail first.
  page.catch(() => undefined);
  return page;
}

const isComparing = (verification: VerificationCursor): verification is Verified =>
  verification.kind !== undefined;

const parse = (line: string) => JSON.parse(line) as Record<string, unknown>;

/**
 * Compares two records.
 * @returns what the record of the site adds to its logical digest
 * @throws QuireError TRANSFER_VERIFICATION_FAILED
 */
function compared(kind: RecordKind, expectedLine: string, foundLine: string | undefined): Buffer {
  const found = foundLine === undefined ? undefined : parse(foundLine);
  const bytes = found && logicalBytesOf(kind, found);
  // Most texts are equal as they are.
  if (bytes && foundLine === expectedLine) return bytes;
  const expected = parse(expectedLine);
  if (!bytes?.equals(logicalBytesOf(kind, expected)) || !haveEqualUsers(kind, expected, found))
    throw difference(kind, keyOf(kind, expected));
  return bytes;
}

function haveEqualUsers(
  kind: RecordKind,
  expected: Readonly<Record<string, unknown>>,
  found: Readonly<Record<string, unknown>> = {},
): boolean {
  return recordDefinitions[kind].principals.every((property) =>
    isDeepStrictEqual(expected[property], found[property]),
  );
}

/**
 * The next records of the site.
 * @returns JSON texts; fewer than `limit` when it has no more
 */
async function readTarget(
  ctx: Context,
  { clients }: TransferDeps,
  operation: OperationRow,
  { kind, after, counts }: Verified,
  limit: number,
): Promise<string[]> {
  const owner = recordOwnerOf(kind);
  const count = Math.min(limit, (counts[kind] ?? 0) - after);
  const found: string[] = [];
  while (found.length < count) {
    const { lines } = await clients[owner].call(siteRecords[owner].read, ctx, {
      operationId: copyIdOf(operation),
      kind,
      after: after + found.length,
      maxRecords: Math.min(count - found.length, executionLimits.recordsPerPage),
      maxBytes: executionLimits.recordBytesPerPage,
    });
    if (lines.length === 0) throw new CopiesLost();
    found.push(...lines);
  }
  return found;
}

/** @throws QuireError TRANSFER_VERIFICATION_FAILED when the site has more records of the kind */
async function atNextKind(
  ctx: Context,
  deps: TransferDeps,
  operation: OperationRow,
  compared: Verified,
): Promise<VerificationCursor> {
  const { kind: present, settingAfter: _, ...verification } = compared;
  const [extra] = await readTarget(ctx, deps, operation, compared, 1);
  if (extra !== undefined) throw difference(present, keyOf(present, parse(extra)));
  const kind = recordKinds[recordKinds.indexOf(present) + 1];
  return { ...verification, after: 0, ...(kind !== undefined && { kind }) };
}
