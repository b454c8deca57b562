import { QuireError } from '@quire/errors';
import {
  isDeeperThan,
  keyOf,
  maxCollections,
  packageLimits,
  recordDefinitions,
  type RecordKind,
} from '@quire/site-package';

/** The limits of the format, with those of names. */
const limits = {
  ...packageLimits,
  /** Files of one kind: their numbers have six digits. */
  filesOfKind: 999_999,
  /** Characters of a key. */
  keyCharacters: 200,
  collections: maxCollections,
};

type Details = Record<string, string | number>;

/**
 * Checks that a package can have what an export writes: no installation could import it otherwise.
 * @throws QuireError TRANSFER_LIMIT_EXCEEDED with the name of the limit, the value and the details
 */
export function assertWithin(limit: keyof typeof limits, value: number, details: Details = {}): void {
  if (value <= limits[limit]) return;
  throw new QuireError('TRANSFER_LIMIT_EXCEEDED', `The package exceeds a limit of its format: ${limit}`, {
    details: { limit, value, ...details },
  });
}

/** @param line text of the record @throws as `assertWithin`, with the kind and key of the record */
export function assertRecordFits(
  kind: RecordKind,
  line: string,
  record: Readonly<Record<string, unknown>>,
): void {
  const details = () => ({ kind, id: keyOf(kind, record).slice(0, limits.keyCharacters) });
  const keyCharacters = recordDefinitions[kind].key.map((property) => String(record[property]).length);
  if (Math.max(...keyCharacters) > limits.keyCharacters)
    assertWithin('keyCharacters', Math.max(...keyCharacters), details());
  // UTF-8 has at most three bytes for a UTF-16 unit.
  if (line.length * 3 > limits.recordLineBytes)
    assertWithin('recordLineBytes', Buffer.byteLength(line), details());
  if (isDeeperThan(record, limits.jsonDepth)) assertWithin('jsonDepth', limits.jsonDepth + 1, details());
}
