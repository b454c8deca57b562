import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

export const commentStatuses = ['pending', 'approved', 'spam', 'trash'] as const;
export type CommentStatus = (typeof commentStatuses)[number];

/** The reason for spam status that does not come from the collection's moderation setting. */
export interface ModerationMetadata {
  reason: 'too_many_links';
  links: number;
}

/** A comment on an entry. The parent of a reply is a root: threads are one level deep. */
@Entity('comments')
@Index('comments_content_id', ['contentId', 'createdAt', 'id'])
@Index('comments_approved', ['contentId', 'createdAt', 'id'], { where: "status = 'approved'" })
@Index('comments_approved_roots', ['contentId', 'createdAt', 'id'], {
  where: "status = 'approved' AND parent_id IS NULL",
})
@Index('comments_approved_replies', ['parentId', 'createdAt', 'id'], { where: "status = 'approved'" })
@Index('comments_status', ['status', 'createdAt', 'id'])
@Index('comments_collection', ['collection', 'status', 'createdAt', 'id'])
export class Comment {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'comments_pkey' })
  id!: string;

  /** Slug of the entry's collection. */
  @Column('text')
  collection!: string;

  /** Id of the entry. */
  @Column('text', { name: 'content_id' })
  contentId!: string;

  @Index('comments_parent_id')
  @Column('text', { name: 'parent_id', nullable: true })
  parentId!: string | null;

  @ManyToOne(() => Comment, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'parent_id', foreignKeyConstraintName: 'comments_parent_id_fkey' })
  parent?: Relation<Comment> | null;

  @Column('text', { name: 'author_name' })
  authorName!: string;

  /** Lower case (decision 31). */
  @Column('text', { name: 'author_email' })
  authorEmail!: string;

  @Column('text', { name: 'author_user_id', nullable: true })
  authorUserId!: string | null;

  @Column('text')
  body!: string;

  @Column('text')
  status!: CommentStatus;

  /** Salted hash of the client's address; the address itself is not stored. */
  @Column('text', { name: 'ip_hash', nullable: true })
  ipHash!: string | null;

  @Column('text', { name: 'user_agent', nullable: true })
  userAgent!: string | null;

  @Column('json', { name: 'moderation_metadata', nullable: true })
  moderationMetadata!: ModerationMetadata | null;

  /** Time of the first approval, which notified the entry's author. */
  @Column({ type: 'timestamptz', name: 'announced_at', precision: 3, nullable: true })
  announcedAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}
