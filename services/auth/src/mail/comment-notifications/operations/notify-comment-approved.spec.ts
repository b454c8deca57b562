import { describe, expect, it } from '@jest/globals';
import { systemActor, type Context } from '@quire/context';
import { LinkOrigins } from '../../links/index.js';
import { MailQueue, NoMailer } from '../../index.js';
import { mailWriters } from '../../../auth.module.js';
import { notifyCommentApprovedJob } from './notify-comment-approved.js';

describe('an installation without mail', () => {
  it('does not notify of an approved comment and queues no mail', async () => {
    const db = {
      query: () => Promise.reject(new Error('Nothing is to be read or written')),
    } as unknown as Context['db'];
    const principal = systemActor({ id: 'site', database: null }, 'system:mail');
    const ctx: Context = { principal, requestId: '1', clientAddress: null, origin: null, db };
    const logger = { warn: () => undefined, error: () => undefined };
    const deps = {
      mails: new MailQueue(new NoMailer(), mailWriters, logger),
      origins: new LinkOrigins('https://site.example', () => Promise.resolve(true)),
    };
    const message = {
      $typeName: 'quire.content.v1.CommentApproved',
      tenantId: 'site',
      commentId: 'comment',
      authorId: 'ann',
      title: 'Title',
      path: '/posts/title',
      origin: '',
    } as const;
    expect(await notifyCommentApprovedJob(ctx, deps, message)).toBe('disabled');
  });
});
