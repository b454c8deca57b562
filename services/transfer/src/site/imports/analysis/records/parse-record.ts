import { packageLimits } from '@quire/site-package';
import { isStorableText } from '@quire/values';
import type { BlockerCode } from '../../plan/plan.js';

/** A fault of a record, or of a value at a path in it. */
export interface RecordFault {
  code: BlockerCode;
  message: string;
  /** Property names and indexes, joined by dots. */
  path?: string;
}

export type ParsedRecord = { record: Record<string, unknown> } | { fault: RecordFault };

/** Reads a line of a file with records: one JSON object of bounded size and depth, whose texts can be stored. */
export function parseRecord(line: string): ParsedRecord {
  // UTF-8 has at most three bytes for a UTF-16 unit.
  if (
    line.length * 3 > packageLimits.recordLineBytes &&
    Buffer.byteLength(line) > packageLimits.recordLineBytes
  )
    return { fault: { code: 'limit_exceeded', message: 'A record is larger than the limit of the format' } };
  const record = parsedObject(line);
  if (!record) return { fault: { code: 'record_invalid', message: 'A line is no JSON object' } };
  // U+0000 and unpaired surrogates are escaped in JSON.
  const fault = contentFault(record, 1, line.includes(String.raw`\u`));
  return fault ? { fault } : { record };
}

function parsedObject(line: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(line) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Every value of every record passes here: it makes no objects. */
function contentFault(value: unknown, depth: number, checksTexts: boolean): RecordFault | undefined {
  if (typeof value === 'string') return checksTexts ? textFault(value) : undefined;
  if (typeof value === 'number') return numberFault(value);
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > packageLimits.jsonDepth)
    return { code: 'limit_exceeded', message: 'A record is nested more deeply than the format allows' };
  const members = value as Readonly<Record<string, unknown>>;
  for (const name of Object.keys(members)) {
    const fault =
      (checksTexts ? textFault(name) : undefined) ?? contentFault(members[name], depth + 1, checksTexts);
    if (fault) return { ...fault, path: fault.path === undefined ? name : `${name}.${fault.path}` };
  }
  return undefined;
}

function textFault(text: string): RecordFault | undefined {
  if (isStorableText(text)) return undefined;
  return { code: 'value_constraint_violation', message: 'A text has U+0000 or an unpaired surrogate' };
}

/** 1e999 is JSON, but no number that a database or JavaScript has. */
function numberFault(number: number): RecordFault | undefined {
  if (Number.isFinite(number)) return undefined;
  return { code: 'value_constraint_violation', message: 'A number is beyond the range of double precision' };
}
