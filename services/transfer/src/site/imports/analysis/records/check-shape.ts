import { recordDefinitions, recordKinds, type RecordKind } from '@quire/site-package';
import type { z } from 'zod';
import type { RecordFault } from './parse-record.js';

/** Columns of integers have 32 bits, except this one. */
const bigIntegers = new Set(['media_items.size']);
const maxInteger = 2 ** 31 - 1;
const maxReported = 20;

interface Shape {
  integers: readonly string[];
  instants: readonly string[];
}

const shapes = Object.fromEntries(recordKinds.map((kind) => [kind, shapeOf(kind)])) as Record<
  RecordKind,
  Shape
>;

/** Checks a record against the schema of its kind, and that columns can have its integers and instants. */
export function checkShape(kind: RecordKind, record: Readonly<Record<string, unknown>>): RecordFault[] {
  const { error } = recordDefinitions[kind].schema.safeParse(record);
  if (error) return error.issues.slice(0, maxReported).map(schemaFault);
  const { integers, instants } = shapes[kind];
  const faults: RecordFault[] = [];
  for (const path of integers)
    if (Math.abs(Number(record[path])) > maxInteger) faults.push({ ...integerFault, path });
  for (const path of instants)
    if (String(record[path]).startsWith('0000-'))
      faults.push({ code: 'value_constraint_violation', message: 'An instant is in the year 0', path });
  return faults;
}

const integerFault: RecordFault = {
  code: 'integer_out_of_range',
  message: 'An integer is beyond the range of its column',
};

function schemaFault(issue: z.core.$ZodIssue): RecordFault {
  const path = issue.path.join('.');
  const isTooLarge = (issue.code === 'too_big' || issue.code === 'too_small') && issue.origin === 'int';
  if (isTooLarge) return { ...integerFault, path };
  return { code: 'record_invalid', message: `A record does not fit its schema: ${issue.message}`, path };
}

function shapeOf(kind: RecordKind): Shape {
  const properties = Object.entries(recordDefinitions[kind].schema.shape).map(
    ([property, schema]) => [property, unwrapped(schema as z.ZodType)] as const,
  );
  const ofType = (isType: (def: PropertyDef) => boolean) =>
    properties.filter(([, def]) => isType(def)).map(([property]) => property);
  return {
    integers: ofType(({ type }) => type === 'number').filter(
      (property) => !bigIntegers.has(`${kind}.${property}`),
    ),
    instants: ofType(({ type, format }) => type === 'string' && format === 'datetime'),
  };
}

interface PropertyDef {
  type: string;
  format?: string;
  innerType?: z.ZodType;
}

function unwrapped(schema: z.ZodType): PropertyDef {
  const def = schema.def as PropertyDef;
  return def.innerType ? unwrapped(def.innerType) : def;
}
