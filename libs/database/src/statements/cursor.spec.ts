import { describe, expect, it } from '@jest/globals';
import { cursorScope, decodeCursor, encodeCursor, keysetOrder, keysetRanges } from './cursor.js';

const scope = cursorScope({ operation: 'listContent', tenant: 'a', orderBy: 'title' });
const text = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('encodeCursor and decodeCursor (contract 2, decision 17)', () => {
  it.each([
    { value: 'Ünïcode "quoted"', id: '1', cast: 'text' },
    { value: -1.5, id: '2', cast: 'double precision' },
    { value: 7, id: '3', cast: 'bigint' },
    { value: '2025-01-24T12:00:00.000Z', id: '4', cast: 'timestamptz' },
    { value: null, id: '5', cast: 'text' },
  ])('preserve the position $value', ({ cast, ...position }) => {
    expect(decodeCursor(scope, encodeCursor(scope, position), cast)).toEqual(position);
  });

  it.each([
    ['a text', 'x', 'bigint'],
    ['half a number', 1.5, 'integer'],
    ['a number', 1, 'text'],
    ['a number that is no flag', 2, 'smallint'],
    ['no instant', 'yesterday', 'timestamptz'],
    ['what cannot be stored', 'a\0b', 'text'],
  ])('throw for a forged value that is %s', (_, value, cast) => {
    const forged = encodeCursor(scope, { value, id: '1' });
    expect(() => decodeCursor(scope, forged, cast)).toThrow(
      expect.objectContaining({ code: 'INVALID_CURSOR' }),
    );
  });

  it.each([
    ['é', 1500],
    ['漢', 500],
    ['\u0001', 5000],
    ['\u{1F426}', 1000],
    ['"\\', 1000],
  ])('truncate a long text of %j, so that the cursor fits into a query', (character, count) => {
    const value = character.repeat(count);
    const cursor = encodeCursor(scope, { value, id: '01ARZ3NDEKTSV4RRFFQ69G5FAA' }, true);
    expect(cursor.length).toBeLessThanOrEqual(2048);
    const position = decodeCursor(scope, cursor, 'text');
    expect(position).toMatchObject({ id: '01ARZ3NDEKTSV4RRFFQ69G5FAA', isCut: true });
    expect(value.startsWith(String(position.value))).toBe(true);
    expect([...String(position.value)]).toHaveLength(200);
  });

  it.each([
    ['another operation', { operation: 'listTrash', tenant: 'a', orderBy: 'title' }],
    ['another tenant', { operation: 'listContent', tenant: 'b', orderBy: 'title' }],
    ['another order', { operation: 'listContent', tenant: 'a', orderBy: 'createdAt' }],
    ['another filter', { operation: 'listContent', tenant: 'a', orderBy: 'title', status: 'draft' }],
  ])('throw for a cursor of %s', (_, parts) => {
    const foreign = encodeCursor(cursorScope(parts), { value: 'x', id: '1' });
    expect(() => decodeCursor(scope, foreign, 'text')).toThrow(
      expect.objectContaining({ code: 'INVALID_CURSOR' }),
    );
  });

  it.each(['x', '=', '.', ' ', '\n'])('throw for a cursor with %j added', (added) => {
    for (const id of ['1', '12', '123']) {
      const cursor = encodeCursor(scope, { value: null, id }) + added;
      expect(() => decodeCursor(scope, cursor, 'text')).toThrow(
        expect.objectContaining({ code: 'INVALID_CURSOR' }),
      );
    }
  });

  it('ignore a part that is undefined', () => {
    expect(cursorScope({ a: 1, b: undefined })).toBe(cursorScope({ a: 1 }));
  });

  it.each([
    ['no base64', '!!!'],
    ['no JSON', Buffer.from('[').toString('base64url')],
    ['empty', ''],
    ['no list', text({ scope })],
    ['too short a list', text([scope, 'x'])],
    ['too long a list', text([scope, 'x', '1', '2'])],
    ['cut twice', text([scope, 'x', '1', 'cut', 'cut'])],
    ['a truncated null', text([scope, null, '1', 'cut'])],
    ['an object as value', text([scope, { a: 1 }, '1'])],
    ['a list as value', text([scope, [1], '1'])],
    ['a number as id', text([scope, 'x', 1])],
    ['an id that cannot be stored', text([scope, 'x', 'a\0b'])],
    ['too long', 'a'.repeat(2049)],
  ])('throw for a cursor that is %s', (_, cursor) => {
    expect(() => decodeCursor(scope, cursor, 'text')).toThrow(
      expect.objectContaining({ code: 'INVALID_CURSOR' }),
    );
  });

  it('throw for a truncated value that is no text', () => {
    expect(() => decodeCursor(scope, text([scope, 7, '1', 'cut']), 'integer')).toThrow(
      expect.objectContaining({ code: 'INVALID_CURSOR' }),
    );
  });

  it('match an order in which nulls come first ascending and last descending, ties by id', () => {
    const columns = { column: 'c', idColumn: 'id', cast: 'text' };
    expect(keysetOrder({ ...columns, direction: 'asc' })).toBe('c ASC NULLS FIRST, id ASC');
    expect(keysetOrder({ ...columns, direction: 'desc' })).toBe('c DESC NULLS LAST, id DESC');
  });

  it('match a plain order and comparison for a column without nulls, so that an index applies', () => {
    const columns = {
      column: 'c',
      idColumn: 'id',
      cast: 'text',
      direction: 'desc',
      neverNull: true,
    } as const;
    expect(keysetOrder(columns)).toBe('c DESC, id DESC');
    expect(keysetRanges(columns, { value: 'x', id: '1' }, String)).toEqual([
      { condition: '(c, id) < (x, 1)', order: 'c DESC, id DESC' },
    ]);
  });

  it('match an index with nulls first of a column without nulls', () => {
    const columns = {
      column: 'c',
      idColumn: 'id',
      cast: 'text',
      direction: 'desc',
      neverNull: true,
      hasNullsFirstIndex: true,
    } as const;
    expect(keysetRanges(columns, { value: 'x', id: '1' }, String)).toEqual([
      { condition: '(c, id) < (x, 1)', order: 'c DESC NULLS LAST, id DESC' },
    ]);
  });

  it('compare the id alone for a column that has one value, so that an index on the id applies', () => {
    const columns = {
      column: '0',
      idColumn: 'id',
      cast: 'integer',
      direction: 'asc',
      isConstant: true,
    } as const;
    expect(keysetRanges(columns, { value: 0, id: '1' }, String)).toEqual([
      expect.objectContaining({ condition: 'id > 1' }),
    ]);
  });
});
