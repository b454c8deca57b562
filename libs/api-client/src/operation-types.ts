import type { Operations } from './generated/operations.js';

/** operationId of the OpenAPI document. */
export type OperationId = keyof Operations;

/** `data` of an operation's response. */
export type DataOf<Id extends OperationId> = Operations[Id]['data'];

type Parts = 'params' | 'query' | 'body';
/** The parts that an operation has. */
type Present<Operation> = {
  [Part in Parts & keyof Operation as Operation[Part] extends undefined ? never : Part]: Operation[Part];
};
/** Parts with an optional content may be left out. */
type OptionalParts<Input> = {
  [Part in keyof Input]: Record<never, never> extends Input[Part]
    ? Part
    : undefined extends Input[Part]
      ? Part
      : never;
}[keyof Input];
type WithOptional<Input, Names extends keyof Input> = Omit<Input, Names> & Partial<Pick<Input, Names>>;

/** The input of an operation: path parameters, query and body, as far as it has them. */
export type InputOf<Id extends OperationId> = WithOptional<
  Present<Operations[Id]>,
  OptionalParts<Present<Operations[Id]>>
>;

/** The arguments of a call: operations that need no input may be called without one. */
export type CallArguments<Id extends OperationId> =
  Record<never, never> extends InputOf<Id>
    ? [input?: InputOf<Id> & CallOptions]
    : [input: InputOf<Id> & CallOptions];

export interface CallOptions {
  /** Aborts the request: the call then rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Lets the request outlive the page; browsers limit such bodies to 64 KiB. */
  keepalive?: boolean;
  /** Key under which a repeated request is executed once, for operations that accept one: 1 to 255 of `!` to `~`. */
  idempotencyKey?: string;
}

/** A response with its ETag. */
export interface Conditional<Data> {
  data: Data;
  /** Undefined for responses without one. */
  etag: string | undefined;
}
