import { expect, it } from '@jest/globals';
import { choicesOf, selectedOf, toggled } from './choice.js';

it('has the choices of the field', () => {
  expect(choicesOf({ validation: { options: ['a', 'b'] } })).toEqual(['a', 'b']);
  expect(choicesOf({ validation: { options: 'a' } })).toEqual([]);
  expect(choicesOf({ validation: null })).toEqual([]);
});

it('has the selected texts', () => {
  expect(selectedOf(['a', 1, 'b'])).toEqual(['a', 'b']);
  expect(selectedOf('a')).toEqual([]);
});

it('adds a choice at the end, and removes it; no selection is no value', () => {
  expect(toggled(['b'], 'a')).toEqual(['b', 'a']);
  expect(toggled(['b', 'a'], 'b')).toEqual(['a']);
  expect(toggled(['a'], 'a')).toBeNull();
});
