import { describe, expect, it } from '@jest/globals';
import { systemActor, type Context } from '@quire/context';
import { mailWriters } from '../../auth.module.js';
import { MailDelivery, MailQueue, NoMailer } from '../index.js';
import { LinkOrigins } from '../links/index.js';
import { notifyCommentApprovedJob } from './comment-notifications.operations.js';

describe('notifyCommentApprovedJob without a mail server', () => {
  it('returns disabled and runs no statement', async () => {
    const db = {
      query: () => Promise.reject(new Error('Unexpected statement')),
    } as unknown as Context['db'];
    const principal = systemActor({ id: 'site', database: null }, 'system:mail');
    const ctx: Context = { principal, requestId: '1', clientAddress: null, origin: null, db };
    const logger = { warn: () => undefined, error: () => undefined };
    const deps = {
      mails: new MailQueue({
        delivery: new MailDelivery({ mailer: new NoMailer(), writers: mailWriters, logger }),
        sharedDatabase: () => db,
        logger,
      }),
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
