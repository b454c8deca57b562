import { describe, expect, it } from '@jest/globals';
import { merge } from './merge.js';
import { isText, mergeText } from './text-merge.js';

const span = (text: string, marks: string[] = [], key = 's') => ({ _type: 'span', _key: key, text, marks });
const icon = (key: string) => ({ _type: 'icon', _key: key });
const mergeSpans = (base: string, mine: string, theirs: string) =>
  mergeText({ base: [span(base)], mine: [span(mine)], theirs: [span(theirs)] });

describe('mergeText', () => {
  it('keeps changes of words that do not touch', () => {
    expect(mergeSpans('one two three', 'uno two three', 'one two drei')).toEqual([span('uno two drei')]);
    expect(mergeSpans('one two', 'zero one two', 'one two three')).toEqual([span('zero one two three')]);
  });

  it('keeps an equal change of both once', () => {
    expect(mergeSpans('one two three', 'uno two', 'uno two three')).toEqual([span('uno two')]);
  });

  it.each([
    ['one word', 'one two', 'uno two', 'eins two'],
    ['insertions at one place', 'one two', 'one mine two', 'one theirs two'],
    ['a deletion beside an insertion', 'one two', 'one', 'one two three'],
  ])('does not merge changes that touch: %s', (_, base, mine, theirs) => {
    expect(mergeSpans(base, mine, theirs)).toBeUndefined();
  });

  it('merges single characters of scripts without spaces', () => {
    expect(mergeSpans('私は東京に住む', '僕は東京に住む', '私は東京に住んだ')).toEqual([
      span('僕は東京に住んだ'),
    ]);
  });

  it('keeps marks of one side beside words of the other', () => {
    const mine = [span('one '), span('two', ['strong'], 't'), span(' three', [], 'u')];
    const merged = mergeText({ base: [span('one two three')], mine, theirs: [span('one two three four')] });
    expect(merged).toEqual([span('one '), span('two', ['strong'], 't'), span(' three four', [], 's-2')]);
  });

  it('knows a word in two spans as one word', () => {
    const [base, mine] = [[span('one two')], [span('on'), span('e', ['em'], 'e'), span(' two', [], 'f')]];
    expect(mergeText({ base, mine, theirs: [span('uno two')] })).toBeUndefined();
  });

  it('does not repeat an object that both have moved', () => {
    const base = [icon('i'), span('one two three')];
    const mine = [span('one '), icon('i'), span('two three', [], 't')];
    const theirs = [span('one two '), icon('i'), span('three', [], 't')];
    expect(mergeText({ base, mine, theirs })).toBeUndefined();
  });

  it('finds texts by their spans', () => {
    expect([[span('a')], [icon('i'), span('')], [], [icon('i')], ['a'], 'a'].map(isText)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('merge of a text block', () => {
  const block = (children: object[], more: object = {}) => ({ _type: 'block', _key: 'b', children, ...more });
  const value = { kind: 'value' } as const;

  it('keeps words of one side and the style of the other', () => {
    const base = block([span('one two')], { style: 'normal' });
    const mine = block([span('one two three')], { style: 'normal' });
    const theirs = block([span('one two')], { style: 'h2' });
    expect(merge([base], [mine], [theirs], value)).toEqual({
      value: [block([span('one two three')], { style: 'h2' })],
    });
  });

  it('is a conflict of the whole block', () => {
    const [base, mine, theirs] = ['one', 'uno', 'eins'].map((text) => block([span(text)]));
    expect(merge([base], [mine], [theirs], value)).toMatchObject({
      value: [mine],
      conflict: { items: [{ path: ['b'], reason: 'both-changed', mine, theirs }] },
    });
  });

  it('keeps the definition of a link that one side has removed and the other has extended', () => {
    const link = { _key: 'l', _type: 'link', href: '/' };
    const base = block([span('one '), span('two', ['l'], 't'), span(' three', [], 'u')], {
      markDefs: [link],
    });
    const mine = block([span('one two three')], { markDefs: [] });
    const theirs = block(
      [span('one '), span('two', ['l'], 't'), span(' three', [], 'u'), span(' four', ['l'], 'v')],
      {
        markDefs: [link],
      },
    );
    expect(merge([base], [mine], [theirs], value)).toEqual({
      value: [block([span('one two three'), span(' four', ['l'], 'v')], { markDefs: [link] })],
    });
  });
});
