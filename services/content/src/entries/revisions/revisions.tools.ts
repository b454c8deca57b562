import { Injectable } from '@nestjs/common';
import type { Context } from '@quire/context';
import { declareTool, limitArgument, Tool, type ToolInputOf } from '@quire/mcp-tools';
import { z } from 'zod';
import { EntryDeps } from '../index.js';
import { address, overrideLock } from '../entry.arguments.js';
import * as operations from './revisions.controller.js';
import { listRevisions, restoreRevision } from './revisions.operations.js';

const list = declareTool(operations.listOfEntry, {
  name: 'revision_list',
  title: 'List Revisions',
  description:
    'Lists the history of an entry: its stored revisions with their values, newest first, and how many there are.',
  annotations: { readOnlyHint: true },
  input: z.object({ ...address, limit: limitArgument(50, 20) }),
});

const restore = declareTool(operations.restoreOne, {
  name: 'revision_restore',
  title: 'Restore Revision',
  description:
    'Stages the values of a revision as the draft of its entry, in place of a present draft. The published version stays until content_publish.',
  input: z.object({
    revisionId: operations.oneRevision.shape.revisionId.describe('Id of the revision, from revision_list'),
    overrideLock,
  }),
  target: ({ revisionId: id }) => ({ type: 'revision', id }),
});

/** Tools of revisions (spec document 2, Revisions; contract 11). */
@Injectable()
export class RevisionTools {
  constructor(private readonly entries: EntryDeps) {}

  @Tool(list)
  list(ctx: Context, input: ToolInputOf<typeof list>) {
    return listRevisions(ctx, this.entries, input);
  }

  @Tool(restore)
  restore(ctx: Context, input: ToolInputOf<typeof restore>) {
    return restoreRevision(ctx, this.entries, input);
  }
}
