/** The reason for an invalid value (sheet import-and-fields, 4.2). */
export type IssueCode =
  | 'required'
  | 'unknown_field'
  | 'type'
  | 'min_length'
  | 'max_length'
  | 'pattern'
  | 'min'
  | 'max'
  | 'option'
  | 'url'
  | 'datetime'
  | 'min_items'
  | 'max_items'
  | 'duplicate'
  | 'target'
  | 'mime'
  | 'block_type'
  | 'block_version'
  | 'block_key'
  | 'characters'
  | 'depth';

/** The problem of a value, without its path. */
export interface IssueReason {
  code: IssueCode;
  message: string;
}

/** The problem of a value and its path: the field slug, then row numbers and sub-field slugs, joined by dots. */
export interface ValueIssue extends IssueReason {
  path: string;
}

const kinds = {
  string: 'a string',
  number: 'a number',
  'whole number': 'a whole number',
  boolean: 'a boolean',
  list: 'a list',
  object: 'an object',
  JSON: 'JSON',
} as const;

/** The message of each reason, shared by all field types. */
export const validationMessages = {
  required: (): IssueReason => ({ code: 'required', message: 'is required' }),
  unknownField: (owner: string): IssueReason => ({
    code: 'unknown_field',
    message: `is not a field of '${owner}'`,
  }),
  relationLinks: (owner: string): IssueReason => ({
    code: 'unknown_field',
    message: `is not part of the data of '${owner}': its links are sent under references`,
  }),
  type: (kind: keyof typeof kinds): IssueReason => ({ code: 'type', message: `must be ${kinds[kind]}` }),
  minLength: (limit: number): IssueReason => ({
    code: 'min_length',
    message: `must have at least ${limit} characters`,
  }),
  maxLength: (limit: number): IssueReason => ({
    code: 'max_length',
    message: `must have at most ${limit} characters`,
  }),
  maxIndexed: (limit: number): IssueReason => ({
    code: 'max_length',
    message: `must have at most ${limit} bytes in UTF-8, because the field is indexed`,
  }),
  pattern: (): IssueReason => ({ code: 'pattern', message: 'does not match the pattern' }),
  min: (limit: number): IssueReason => ({ code: 'min', message: `must be at least ${limit}` }),
  max: (limit: number): IssueReason => ({ code: 'max', message: `must be at most ${limit}` }),
  option: (options: readonly string[]): IssueReason => ({
    code: 'option',
    message: `must be one of: ${options.join(', ')}`,
  }),
  url: (): IssueReason => ({
    code: 'url',
    message: 'must be an http(s), mailto or tel link, a path or a fragment',
  }),
  httpUrl: (): IssueReason => ({ code: 'url', message: 'must be an http(s) link' }),
  datetime: (): IssueReason => ({
    code: 'datetime',
    message: 'must be an ISO 8601 time with Z or an offset',
  }),
  minItems: (limit: number): IssueReason => ({
    code: 'min_items',
    message: `must have at least ${limit} entries`,
  }),
  maxItems: (limit: number): IssueReason => ({
    code: 'max_items',
    message: `must have at most ${limit} entries`,
  }),
  duplicate: (id: string): IssueReason => ({ code: 'duplicate', message: `names '${id}' twice` }),
  target: (id: string, collection: string): IssueReason => ({
    code: 'target',
    message: `'${id}' not found in '${collection}'`,
  }),
  mime: (type: string): IssueReason => ({ code: 'mime', message: `does not accept ${type}` }),
  noBlockTypes: (): IssueReason => ({
    code: 'block_type',
    message: 'must be empty: no block types are available',
  }),
  unknownBlockType: (type: string): IssueReason => ({
    code: 'block_type',
    message: `'${type}' is not a block type`,
  }),
  blockTypeNotAllowed: (type: string): IssueReason => ({
    code: 'block_type',
    message: `'${type}' is not available for new blocks`,
  }),
  blockVersion: (type: string): IssueReason => ({
    code: 'block_version',
    message: `must be an existing version of '${type}'`,
  }),
  blockKey: (): IssueReason => ({
    code: 'block_key',
    message: 'must be a non-empty key, used once in the list',
  }),
  characters: (): IssueReason => ({
    code: 'characters',
    message: 'must not contain U+0000 or unpaired surrogates',
  }),
  depth: (limit: number): IssueReason => ({
    code: 'depth',
    message: `must be nested at most ${limit} levels deep`,
  }),
};
