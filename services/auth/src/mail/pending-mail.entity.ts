import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { MailSubject } from './mail-request.js';

/** A requested mail that is not sent yet. It contains no link: the link is created when the mail is written. */
@Entity('pending_mails')
export class PendingMail {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'pending_mails_pkey' })
  id!: string;

  @Column('text')
  kind!: string;

  @Column('text')
  email!: string;

  /** Origin of links in the mail. */
  @Column('text')
  origin!: string;

  /** For kinds of mails that are about one object. */
  @Column('json', { nullable: true })
  subject!: MailSubject | null;

  /** Whether an administrator or the site requested it: such mails are sent first and have a share of the queue. */
  @Column('boolean', { name: 'is_by_admin', default: false })
  isByAdmin!: boolean;

  @Column('integer', { default: 0 })
  attempts!: number;

  /** Time of the next attempt; during an attempt, the end of its lease. */
  @Index('pending_mails_due_at')
  @Column({ type: 'timestamptz', name: 'due_at', precision: 3, default: () => 'now()' })
  dueAt!: Date;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
