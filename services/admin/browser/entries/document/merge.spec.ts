import { describe, expect, it } from '@jest/globals';
import { merge, type MergeRules } from './merge.js';
import {
  editList,
  editText,
  randomBlock,
  randomRow,
  repeatedKeys,
  SeededRandom,
  wordsOf,
} from './random-edits.fixture.js';

const value: MergeRules = { kind: 'value' };
const rows: MergeRules = { kind: 'rows' };

/** A paragraph with one span. */
const paragraph = (key: string, text: string, more: object = {}) => ({
  _type: 'block',
  _key: key,
  style: 'normal',
  markDefs: [],
  children: [{ _type: 'span', _key: `${key}s`, text, marks: [] }],
  ...more,
});
const keys = (list: unknown) => (list as { _key: string }[]).map(({ _key }) => _key);
const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((key) => paragraph(key, `text ${key}`)) as [
  object,
  object,
  object,
  object,
];

describe('merge of a field', () => {
  it('takes the side that has changed', () => {
    expect(merge('a', 'b', 'a', value)).toEqual({ value: 'b' });
    expect(merge('a', 'a', 'c', value)).toEqual({ value: 'c' });
    expect(merge({ x: 1, y: undefined }, { x: 1 }, { x: 2 }, value)).toEqual({ value: { x: 2 } });
  });

  it('takes equal changes of both', () => {
    expect(merge('a', 'b', 'b', value)).toEqual({ value: 'b' });
  });

  it.each([
    ['a', 'b', 'c'],
    [null, 1, 2],
    [['x'], ['x', 'y'], ['x', 'z']],
    [{ id: '1' }, { id: '2' }, { id: '3' }],
    ['a', null, 'c'],
  ])('is a conflict with my value if both have changed %j', (base, mine, theirs) => {
    expect(merge(base, mine, theirs, value)).toEqual({
      value: mine,
      conflict: { mine, theirs, items: [{ path: [], reason: 'both-changed', mine, theirs }] },
    });
  });
});

describe('merge of items with keys', () => {
  it('keeps the insertions of both, mine first after the same neighbour', () => {
    expect(keys(merge([a, b], [a, c, b], [a, d, b], value).value)).toEqual(['a', 'c', 'd', 'b']);
    expect(keys(merge(null, [a], [b], value).value)).toEqual(['a', 'b']);
  });

  it('keeps changes of different items', () => {
    const [mine, theirs] = [paragraph('a', 'my text'), paragraph('b', 'their text')];
    expect(merge([a, b], [mine, b], [a, theirs], value)).toEqual({ value: [mine, theirs] });
  });

  it('deletes an item that one side has deleted and the other has not changed', () => {
    expect(merge([a, b], [a], [a, b, c], value)).toEqual({ value: [a, c] });
    expect(merge([a, b], [a, b, c], [a], value)).toEqual({ value: [a, c] });
  });

  it('keeps an item that one side has deleted and the other has changed, as a conflict', () => {
    const changed = paragraph('b', 'other text');
    const conflict = { path: ['b'], reason: 'changed-and-deleted' };
    expect(merge([a, b], [a, changed], [a], value)).toMatchObject({
      value: [a, changed],
      conflict: { items: [{ ...conflict, mine: changed, theirs: undefined }] },
    });
    expect(merge([a, b], [a], [a, changed], value)).toMatchObject({
      value: [a, changed],
      conflict: { items: [{ ...conflict, mine: undefined, theirs: changed }] },
    });
  });

  it('replays my moves after the same left neighbour', () => {
    expect(keys(merge([a, b, c], [c, a, b], [a, b, c, d], value).value)).toEqual(['c', 'a', 'b', 'd']);
    expect(keys(merge([a, b, c, d], [b, c, a, d], [d, a, b, c], value).value)).toEqual(['d', 'b', 'c', 'a']);
  });

  it('keeps a change of an item that the other side has moved', () => {
    const changed = paragraph('c', 'other text');
    expect(merge([a, b, c], [c, a, b], [a, b, changed], value)).toEqual({ value: [changed, a, b] });
  });

  it('merges objects property by property, in nested lists too', () => {
    const card = { _type: 'card', _key: 'k', title: 'one', size: 1, rows: [{ _key: 'r', text: 'x' }] };
    const mine = { ...card, title: 'two', rows: [{ _key: 'r', text: 'x' }, { _key: 's' }] };
    const theirs = { ...card, size: 2, rows: [{ _key: 'r', text: 'y' }] };
    expect(merge([card], [mine], [theirs], value)).toEqual({
      value: [{ ...card, title: 'two', size: 2, rows: [{ _key: 'r', text: 'y' }, { _key: 's' }] }],
    });
  });

  it('is a conflict of a property that both have changed', () => {
    const card = { _type: 'card', _key: 'k', title: 'one', size: 1 };
    const result = merge([card], [{ ...card, title: 'two', size: 2 }], [{ ...card, title: 'three' }], value);
    expect(result).toMatchObject({
      value: [{ ...card, title: 'two', size: 2 }],
      conflict: { items: [{ path: ['k', 'title'], reason: 'both-changed', mine: 'two', theirs: 'three' }] },
    });
  });

  it('merges the cells of tables by their place', () => {
    const table = (...texts: string[]) => ({
      _type: 'table',
      _key: 't',
      rows: [{ _key: 'r', cells: texts.map((text) => ({ content: [{ _type: 'span', text, marks: [] }] })) }],
    });
    expect(merge([table('1', '2')], [table('1 mine', '2')], [table('1', '2 theirs')], value)).toEqual({
      value: [table('1 mine', '2 theirs')],
    });
    const [mine, theirs] = [table('one', '2'), table('uno', '2')];
    expect(merge([table('1', '2')], [mine], [theirs], value).conflict?.items).toMatchObject([
      { path: ['t', 'rows', 'r', 'cells', '0', 'content'], reason: 'both-changed' },
    ]);
  });

  it('has no keyed merge for lists with a key twice or without one', () => {
    expect(merge([a], [a, a], [a, b], value).conflict?.items).toMatchObject([{ path: [] }]);
    expect(merge([{}], [{ x: 1 }], [{ x: 2 }], value).conflict?.items).toMatchObject([{ path: [] }]);
  });

  it('is a conflict of the whole field if the merged list has too many or too few items', () => {
    const limits: MergeRules = { kind: 'value', minItems: 1, maxItems: 3 };
    const full = merge([a], [a, b, c], [a, d], limits);
    expect(full.value).toEqual([a, b, c]);
    expect(full.conflict?.items).toMatchObject([{ path: [], reason: 'item-count', theirs: [a, d] }]);
    expect(merge([a, b], [a], [b], limits).conflict?.items).toMatchObject([{ reason: 'item-count' }]);
  });
});

describe('merge of repeater rows', () => {
  const row = (title: string, text = `text of ${title}`) => ({ title, text });
  const [one, two, three] = [row('one'), row('two'), row('three')];

  it('keeps changes of different rows, side by side too', () => {
    const [mine, theirs] = [row('one', 'mine'), row('two', 'theirs')];
    expect(merge([one, two], [mine, two], [one, theirs], rows)).toEqual({ value: [mine, theirs] });
  });

  it('keeps the insertions of both, and an equal one once', () => {
    expect(merge([one], [one, two], [one, three], rows).value).toEqual([one, two, three]);
    expect(merge([one], [one, two, three], [one, two], rows).value).toEqual([one, two, three]);
  });

  it('is a conflict of the row that both have changed', () => {
    const [mine, theirs] = [row('two', 'mine'), row('two', 'theirs')];
    expect(merge([one, two], [one, mine], [three, one, theirs], rows)).toMatchObject({
      value: [three, one, mine],
      conflict: { items: [{ path: ['2'], reason: 'both-changed', mine, theirs }] },
    });
  });

  it('recognises a changed row among inserted ones by likeness, and moved ones', () => {
    const changed = row('two', 'text of two, changed');
    expect(merge([one, two], [one, three, changed], [two, one], rows).value).toEqual([changed, one, three]);
  });

  it('keeps a row that one side has deleted and the other has changed, as a conflict', () => {
    const changed = row('two', 'mine');
    expect(merge([one, two], [one, changed], [one], rows)).toMatchObject({
      value: [one, changed],
      conflict: { items: [{ path: ['1'], reason: 'changed-and-deleted', mine: changed, theirs: undefined }] },
    });
  });
});

describe('merge of selections', () => {
  const selection: MergeRules = { kind: 'selection' };

  it('has their order, then what I have added, without what I have removed', () => {
    expect(merge(['a', 'b', 'c'], ['a', 'c', 'd'], ['c', 'b', 'a', 'e'], selection)).toEqual({
      value: ['c', 'a', 'e', 'd'],
    });
  });

  it('is a conflict beyond the limit of the selection', () => {
    const result = merge(['a'], ['a', 'b'], ['a', 'c'], { ...selection, maxItems: 2 });
    expect(result).toMatchObject({ value: ['a', 'b'], conflict: { items: [{ reason: 'item-count' }] } });
  });

  it('ignores the order of the child side', () => {
    expect(merge(['a', 'b'], ['b', 'a'], ['a', 'b', 'c'], { kind: 'set' })).toEqual({
      value: ['a', 'b', 'c'],
    });
    expect(merge([], ['b', 'a'], ['a', 'b'], { kind: 'set' })).toEqual({ value: ['a', 'b'] });
  });

  it('is a conflict for a single id that both have changed', () => {
    expect(merge('a', 'b', 'c', selection).conflict?.items).toMatchObject([{ path: [], mine: 'b' }]);
  });
});

describe('the laws of merge', () => {
  const blocks = (random: SeededRandom) => {
    const base = Array.from({ length: random.below(7) }, () => randomBlock(random, 'base'));
    const edit = (prefix: string) => editList(random, base, { prefix, create: randomBlock });
    return { rules: value, base, mine: edit('mine'), theirs: edit('theirs') };
  };
  const repeaters = (random: SeededRandom) => {
    const base = Array.from({ length: random.below(7) }, () => randomRow(random, 'base'));
    const edit = (prefix: string) => editList(random, base, { prefix, create: randomRow });
    return { rules: rows, base, mine: edit('mine'), theirs: edit('theirs') };
  };
  const limited = (random: SeededRandom) => ({
    ...(random.isChosen() ? blocks(random) : repeaters(random)),
    rules: { kind: random.pick(['value', 'rows'] as const), minItems: 2, maxItems: 5 },
  });
  const selections = (random: SeededRandom) => {
    const create = (from: SeededRandom, prefix: string) => from.word(prefix);
    const base = Array.from({ length: random.below(5) }, () => random.word('base'));
    const edit = (prefix: string) => editList(random, base, { prefix, create, edit: (_, id) => id });
    const kind = random.pick(['selection', 'set'] as const);
    return { rules: { kind, maxItems: 6 }, base, mine: edit('mine'), theirs: edit('theirs') };
  };
  const texts = (random: SeededRandom) => {
    const base = Array.from({ length: 5 }, () => random.word('base')).join(' ');
    const edit = (prefix: string) => editText(random, base, prefix);
    return { rules: value, base, mine: edit('mine'), theirs: edit('theirs') };
  };
  const cases = { blocks, repeaters, limited, selections, texts };
  const seeds = Array.from({ length: 500 }, (_, index) => index + 1);

  it.each(Object.entries(cases))('%s: nothing is lost, and no key is repeated', (_, generate) => {
    for (const seed of seeds) {
      const { base, mine, theirs, rules } = generate(new SeededRandom(seed));
      const result = merge(base, mine, theirs, rules);
      const found = wordsOf([result.value, result.conflict?.items.map((item) => [item.mine, item.theirs])]);
      const before = wordsOf(base);
      const lost = [...wordsOf([mine, theirs])].filter((word) => !before.has(word) && !found.has(word));
      expect({ seed, lost, repeated: repeatedKeys(result.value) }).toEqual({ seed, lost: [], repeated: [] });
    }
  });

  it.each(Object.entries(cases))(
    '%s: one change, and equal changes, are taken as they are',
    (_, generate) => {
      for (const seed of seeds) {
        const { base, mine, theirs, rules } = generate(new SeededRandom(seed));
        expect(merge(base, mine, mine, rules)).toEqual({ value: mine });
        expect(merge(base, base, theirs, rules)).toEqual({ value: theirs });
        expect(merge(base, mine, base, rules)).toEqual({ value: mine });
      }
    },
  );

  it('many texts are merged without a conflict', () => {
    const merged = seeds.filter((seed) => {
      const { base, mine, theirs, rules } = blocks(new SeededRandom(seed));
      return !merge(base, mine, theirs, rules).conflict;
    });
    expect(merged.length).toBeGreaterThan(seeds.length / 2);
  });
});
