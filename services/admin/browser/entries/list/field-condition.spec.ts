import { describe, expect, it } from '@jest/globals';
import { modesOf, toCondition, toForm } from './field-condition.js';
import type { FieldCondition } from './list-search.js';

const text = { type: 'string', validation: null } as const;
const select = { type: 'select', validation: { options: ['red', 'green'] } } as const;
const integer = { type: 'integer', validation: null } as const;
const time = { type: 'datetime', validation: null } as const;
const flag = { type: 'boolean', validation: null } as const;

describe('conditions of fields', () => {
  it.each<
    [
      { type: 'string' | 'select' | 'integer' | 'datetime' | 'boolean'; validation: object | null },
      FieldCondition | undefined,
    ]
  >([
    [text, undefined],
    [text, 'red'],
    [text, { in: ['red', 'green'] }],
    [text, null],
    [select, { in: ['red'] }],
    [integer, { gte: 1, lte: 5 }],
    [integer, { lte: 0 }],
    [time, { gte: '2026-01-01' }],
    [flag, true],
    [flag, false],
  ])('of %j are what their form is made of: %j', (field, condition) => {
    const typed = field as Parameters<typeof toCondition>[0];
    expect(toCondition(typed, toForm(condition))).toEqual(condition);
  });

  it('limit nothing without a value', () => {
    const form = toForm(undefined);
    expect(toCondition(text, { ...form, mode: 'is', text: ' ' })).toBeUndefined();
    expect(toCondition(text, { ...form, mode: 'in', text: '\n' })).toBeUndefined();
    expect(toCondition(select, { ...form, mode: 'in', text: 'red' })).toBeUndefined();
    expect(toCondition(integer, { ...form, mode: 'between' })).toBeUndefined();
  });

  it('offer what the type has', () => {
    expect(modesOf(text)).toEqual(['any', 'is', 'in', 'empty']);
    expect(modesOf(select)).toEqual(['any', 'in', 'empty']);
    expect(modesOf({ type: 'select', validation: null })).toContain('is');
    expect(modesOf(flag)).toEqual(['any', 'yes', 'no', 'empty']);
  });
});
