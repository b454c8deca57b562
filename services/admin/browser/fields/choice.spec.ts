import { describe, expect, it } from '@jest/globals';
import {
  choicesOf,
  formerOf,
  matching,
  selectedOf,
  tagsBefore,
  toggled,
  typeTags,
  valueOfTags,
} from './choice.js';
import { testField } from './field.fixture.js';

describe('choices', () => {
  it('are the options of the rules', () => {
    expect(choicesOf(testField('select', { validation: { options: ['a', 'b'] } }))).toEqual(['a', 'b']);
    expect(choicesOf(testField('select'))).toEqual([]);
  });

  it('are selected as a list, also where one was stored before the field took several', () => {
    expect(selectedOf(['a', 'b'])).toEqual(['a', 'b']);
    expect(selectedOf('a')).toEqual(['a']);
    expect(selectedOf(null)).toEqual([]);
  });

  it('that are no longer offered are found', () => {
    expect(formerOf(['old', 'a', 'old'], ['a', 'b'])).toEqual(['old']);
  });

  it('are added at the end, and the last one leaves null', () => {
    expect(toggled(['b'], 'a')).toEqual(['b', 'a']);
    expect(toggled(['b', 'a'], 'b')).toEqual(['a']);
    expect(toggled(['a'], 'a')).toBeNull();
  });

  it('are found by a part of their text', () => {
    expect(matching(['Äpfel', 'Birnen', 'Apfelsaft'], ' apf')).toEqual(['Apfelsaft']);
    expect(matching(['Äpfel', 'Birnen'], 'ÄPF')).toEqual(['Äpfel']);
    expect(matching(['a', 'b'], '')).toEqual(['a', 'b']);
  });
});

describe('tags', () => {
  /** The values that an input gives while texts are typed into it one after the other. */
  function typed(value: string[] | null, texts: readonly string[]) {
    let pending: string | undefined;
    let current = value;
    for (const text of texts) {
      const next = typeTags(tagsBefore(current, pending), text);
      pending = next.pending;
      current = valueOfTags(next);
    }
    return { value: current, pending };
  }

  it('have the one that is being typed, so that it is not lost', () => {
    expect(typed(null, ['o', 'on', 'one'])).toEqual({ value: ['one'], pending: 'one' });
  });

  it('end with a comma', () => {
    expect(typed(['a'], ['on', 'one', 'one,', 'two'])).toEqual({
      value: ['a', 'one', 'two'],
      pending: 'two',
    });
  });

  it('are those of a pasted text', () => {
    expect(typeTags(['a'], 'one, two ,, a, three')).toEqual({
      tags: ['a', 'one', 'two'],
      text: 'three',
      pending: 'three',
    });
  });

  it('are not there twice', () => {
    expect(typed(['one'], ['on', 'one'])).toEqual({ value: ['one'], pending: undefined });
    expect(typed(['one'], ['one,'])).toEqual({ value: ['one'], pending: undefined });
  });

  it('are null without any', () => {
    expect(typed(null, ['o', ''])).toEqual({ value: null, pending: undefined });
  });

  it('keep what another editor has added while one is typed', () => {
    expect(tagsBefore(['mine', 'theirs'], 'mine')).toEqual(['mine', 'theirs']);
  });
});
