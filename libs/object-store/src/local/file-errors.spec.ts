import { describe, expect, it } from '@jest/globals';
import { ObjectStoreFull, ObjectStoreUnavailable } from '../port/object-store-errors.js';
import { throwStoreError } from './file-errors.js';

const systemError = (code: string) => Object.assign(new Error(code), { code, syscall: 'write' });

describe('an error of the file system', () => {
  it.each(['ENOSPC', 'EDQUOT', 'EFBIG'])('%s means that the store is full', (code) => {
    expect(() => throwStoreError(systemError(code))).toThrow(ObjectStoreFull);
  });

  it.each(['EIO', 'EROFS', 'EACCES', 'EMFILE', 'ENOTDIR'])(
    '%s means that the store does not do what it should, and is kept as the cause',
    (code) => {
      const error = systemError(code);
      expect(() => throwStoreError(error)).toThrow(ObjectStoreUnavailable);
      expect(() => throwStoreError(error)).toThrow(expect.objectContaining({ cause: error }));
    },
  );

  it('is nothing else: mistakes of the program stay what they are', () => {
    expect(() => throwStoreError(new TypeError('a mistake'))).toThrow(TypeError);
  });
});
