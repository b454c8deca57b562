import { Injectable } from '@nestjs/common';
import type { Context } from '@quire/context';
import { declareTool, Tool, type ToolInputOf } from '@quire/mcp-tools';
import { z } from 'zod';
import * as operations from './entries.declarations.js';
import { discardDraft, scheduleContent, unscheduleContent } from './entries.operations.js';
import { publishBody, scheduleBody } from './entries.schemas.js';
import { EntryDeps } from './entry-deps.js';
import { address, overrideLock, rev, target } from './entry.arguments.js';
import { publishContent } from './operations/publish-content.js';
import { unpublishContent } from './operations/unpublish-content.js';

const transition = { ...address, _rev: rev, overrideLock };

const publish = declareTool(operations.publishContent, {
  name: 'content_publish',
  title: 'Publish Content',
  description:
    'Publishes an entry; its draft becomes the live version, and a schedule ends. Required fields need values. A published entry keeps its date.',
  input: z.object({
    ...transition,
    publishedAt: publishBody.shape.publishedAt.describe('ISO 8601 with Z or an offset. Editors only'),
  }),
  target,
});

const unpublish = declareTool(operations.unpublishContent, {
  name: 'content_unpublish',
  title: 'Unpublish Content',
  description:
    'Takes a published entry offline: it becomes a draft with the same values and date, and a schedule ends.',
  input: z.object(transition),
  target,
});

const schedule = declareTool(operations.scheduleContent, {
  name: 'content_schedule',
  title: 'Schedule Content',
  description:
    'Sets the time at which an entry, or the draft of a published entry, goes live. Replaces an earlier time.',
  input: z.object({
    ...transition,
    scheduledAt: scheduleBody.shape.scheduledAt.describe('Time in the future, ISO 8601 with Z or an offset'),
  }),
  target,
});

const unschedule = declareTool(operations.unscheduleContent, {
  name: 'content_unschedule',
  title: 'Cancel Scheduled Publication',
  description: 'Cancels the scheduled publication of an entry. Without a schedule nothing changes.',
  input: z.object({ ...address, overrideLock }),
  target,
});

const discard = declareTool(operations.discardDraft, {
  name: 'content_discard_draft',
  title: 'Discard Draft',
  description: 'Discards the staged values of an entry; the published ones stay.',
  annotations: { destructiveHint: true },
  input: z.object(transition),
  target,
});

/** Tools that change what of an entry is live, and when (spec document 2, Content; contract 4). */
@Injectable()
export class EntryPublicationTools {
  constructor(private readonly entries: EntryDeps) {}

  @Tool(publish)
  publish(ctx: Context, input: ToolInputOf<typeof publish>) {
    return publishContent(ctx, this.entries, input);
  }

  @Tool(unpublish)
  unpublish(ctx: Context, input: ToolInputOf<typeof unpublish>) {
    return unpublishContent(ctx, this.entries, input);
  }

  @Tool(schedule)
  schedule(ctx: Context, input: ToolInputOf<typeof schedule>) {
    return scheduleContent(ctx, this.entries, input);
  }

  @Tool(unschedule)
  unschedule(ctx: Context, input: ToolInputOf<typeof unschedule>) {
    return unscheduleContent(ctx, this.entries, input);
  }

  @Tool(discard)
  discard(ctx: Context, input: ToolInputOf<typeof discard>) {
    return discardDraft(ctx, this.entries, input);
  }
}
