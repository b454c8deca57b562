import { describe, expect, it } from '@jest/globals';
import { Parameters } from './parameters.js';

describe('Parameters.add', () => {
  it('numbers the parameters in their order, with the given types', () => {
    const parameters = new Parameters();
    expect([parameters.add('a'), parameters.add(null, 'text[]'), parameters.add('a')]).toEqual([
      '$1',
      '$2::text[]',
      '$3',
    ]);
    expect(parameters.values).toEqual(['a', null, 'a']);
  });
});
