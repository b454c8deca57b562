import { describe, expect, it } from '@jest/globals';
import { Parameters } from './parameters.js';

describe('parameters of a statement', () => {
  it('are numbered as they come, with the type where one is named', () => {
    const parameters = new Parameters();
    expect([parameters.add('a'), parameters.add(null, 'text[]'), parameters.add('a')]).toEqual([
      '$1',
      '$2::text[]',
      '$3',
    ]);
    expect(parameters.values).toEqual(['a', null, 'a']);
  });
});
