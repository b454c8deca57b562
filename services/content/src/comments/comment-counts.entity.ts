import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The number of an entry's visible comments. The triggers of `comments` maintain it: migration 0065. */
@Entity('comment_counts')
export class CommentCount {
  /** Id of the entry. */
  @PrimaryColumn('text', { name: 'content_id', primaryKeyConstraintName: 'comment_counts_pkey' })
  contentId!: string;

  /** Approved comments whose root, if any, is approved too. */
  @Column('bigint')
  visible!: number;
}

/**
 * A share of the numbers of the site's comments by status; the sums of all shares are the numbers. A connection writes
 * the share of its process, so that transactions seldom wait for each other. The triggers of `comments` maintain it:
 * migration 0065.
 */
@Entity('comment_status_counts')
export class CommentStatusCount {
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'comment_status_counts_pkey' })
  share!: number;

  @Column('bigint')
  pending!: number;

  @Column('bigint')
  approved!: number;

  @Column('bigint')
  spam!: number;

  @Column('bigint')
  trash!: number;
}
