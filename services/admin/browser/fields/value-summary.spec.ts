import { expect, it } from '@jest/globals';
import { summaryOf } from './value-summary.js';

const block = (text: string) => ({ _type: 'block', children: [{ _type: 'span', text }] });

it('has the beginning of rich text', () => {
  expect(summaryOf({ type: 'portableText' }, [block('One'), { _type: 'image' }, block('two')])).toEqual({
    text: 'One\ntwo',
  });
  expect(summaryOf({ type: 'portableText' }, [block('x'.repeat(500))])).toEqual({
    text: `${'x'.repeat(200)}…`,
  });
});

it('counts the items of other lists', () => {
  expect(summaryOf({ type: 'repeater' }, [{}, {}])).toEqual({ count: 2 });
});

it('names a file, else shows the value', () => {
  expect(summaryOf({ type: 'file' }, { filename: 'report.pdf', src: '/x' })).toEqual({ text: 'report.pdf' });
  expect(summaryOf({ type: 'image' }, { alt: '', src: '/x.png' })).toEqual({ text: '/x.png' });
  expect(summaryOf({ type: 'json' }, { a: 1 })).toEqual({ text: '{"a":1}' });
});

it('has nothing for an empty field', () => {
  expect(summaryOf({ type: 'json' }, null)).toBeUndefined();
});
