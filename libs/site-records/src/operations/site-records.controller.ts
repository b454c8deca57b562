import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { siteRecords, type RecordOwner, type RequestOf, type ResponseOf } from '@quire/internal-api';
import { Input, Operation, type InputOf } from '@quire/operation';
import type { FencingTokens } from '../fencing/fencing-tokens.js';

type Declarations = (typeof siteRecords)[RecordOwner];

/** The operations of `siteRecords`, as a service that owns records implements them. */
export type SiteRecordsOperations = {
  readonly [Name in keyof Declarations]: (
    ctx: Context,
    request: RequestOf<Declarations[Name]>,
  ) => Promise<ResponseOf<Declarations[Name]>>;
};

/**
 * The base of a service's controller of its site records. The service extends it with `@Controller()`, and passes its
 * operations to the constructor.
 * @param owner the service
 * @param fencingTokens those that the service has accepted: `clear` and `write` get the context of the token's holder
 */
export function siteRecordsController(
  owner: RecordOwner,
  fencingTokens: Pick<FencingTokens, 'accept'>,
): abstract new (operations: SiteRecordsOperations) => object {
  const { stage, read, discard, inspect, clear, write, finish } = siteRecords[owner];

  abstract class SiteRecordsController {
    constructor(private readonly operations: SiteRecordsOperations) {}

    @Operation(stage)
    stage(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof stage>) {
      return this.operations.stage(ctx, body);
    }

    @Operation(read)
    read(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof read>) {
      return this.operations.read(ctx, body);
    }

    @Operation(discard)
    discard(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof discard>) {
      return this.operations.discard(ctx, body);
    }

    @Operation(inspect)
    inspect(@Ctx() ctx: Context) {
      return this.operations.inspect(ctx, undefined);
    }

    @Operation(clear)
    async clear(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof clear>) {
      return this.operations.clear(await fencingTokens.accept(ctx, body.fencingToken), body);
    }

    @Operation(write)
    async write(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof write>) {
      return this.operations.write(await fencingTokens.accept(ctx, body.fencingToken), body);
    }

    @Operation(finish)
    finish(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof finish>) {
      return this.operations.finish(ctx, body);
    }
  }
  return SiteRecordsController;
}
