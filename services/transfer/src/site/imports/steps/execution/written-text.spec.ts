import { describe, expect, it } from '@jest/globals';
import { writtenText } from './written-text.js';

const decisions = { principalMappings: { 'p-ada': 'user-eva' } };

describe('writtenText', () => {
  it.each([
    ['term_groups', '{"id": "a", "sortOrder": 1.0}', '{"id":"a","sortOrder":1}'],
    ['widgets', '{"componentProps":{"n":[1e-400,1e2,0.10]}}', '{"componentProps":{"n":[0,100,0.1]}}'],
    ['revisions', '{"authorId":"p-ada","data":{"n":5.0}}', '{"authorId":"user-eva","data":{"n":5}}'],
  ] as const)('writes numbers of %s as the database reads them', (kind, line, text) => {
    expect(writtenText(kind, line, decisions)).toBe(text);
  });
});
