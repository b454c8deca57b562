import type { MailSubject } from './mail-request.js';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A mail that is asked for and not sent yet. It holds no link: that is made when the mail is written. */
@Entity('pending_mails')
export class PendingMail {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'pending_mails_pkey' })
  id!: string;

  @Column('text')
  kind!: string;

  @Column('text')
  email!: string;

  /** Origin that links in the mail begin with. */
  @Column('text')
  origin!: string;

  /** What the mail is about, where it is about more than its kind. */
  @Column('json', { nullable: true })
  subject!: MailSubject | null;

  /** Whether an administrator asked for it: such mails go first, and no flood of others takes their place. */
  @Column('boolean', { name: 'is_by_admin', default: false })
  isByAdmin!: boolean;

  @Column('integer', { default: 0 })
  attempts!: number;

  /** When it is tried next; while it is being sent, when another may try. */
  @Index('pending_mails_due_at')
  @Column({ type: 'timestamptz', name: 'due_at', precision: 3, default: () => 'now()' })
  dueAt!: Date;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
