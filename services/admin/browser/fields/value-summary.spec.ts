import { describe, expect, it } from '@jest/globals';
import { summaryOf } from './value-summary.js';

const block = (...texts: unknown[]) => ({ _type: 'block', children: texts.map((text) => ({ text })) });

describe('summaryOf', () => {
  it('is undefined without a value', () => {
    expect(summaryOf({ type: 'json' }, null)).toBeUndefined();
  });

  it('has the first 200 characters of rich text', () => {
    expect(summaryOf({ type: 'portableText' }, [block('One', ' line'), block('Two')])).toEqual({
      text: 'One line\nTwo',
    });
    expect(summaryOf({ type: 'portableText' }, [block('x'.repeat(201))])).toEqual({
      text: `${'x'.repeat(200)}…`,
    });
    expect(summaryOf({ type: 'portableText' }, [block('\u{1f600}'.repeat(201))])).toEqual({
      text: `${'\u{1f600}'.repeat(200)}…`,
    });
  });

  it('has the number of blocks of rich text without any text, whatever they are', () => {
    expect(summaryOf({ type: 'portableText' }, [null, { _type: 'table' }, block(5, null)])).toEqual({
      count: 3,
    });
  });

  it('has the number of items of a list', () => {
    expect(summaryOf({ type: 'repeater' }, [{}, {}])).toEqual({ count: 2 });
    expect(summaryOf({ type: 'reference' }, [])).toEqual({ count: 0 });
  });

  it('is undefined for an object, which only JSON shows', () => {
    expect(summaryOf({ type: 'json' }, { a: 1 })).toBeUndefined();
  });

  it('has the text of another value', () => {
    expect(summaryOf({ type: 'reference' }, '01ID')).toEqual({ text: '01ID' });
    expect(summaryOf({ type: 'json' }, false)).toEqual({ text: 'false' });
  });
});
