import { Entity, PrimaryColumn } from 'typeorm';

/** A subscription of another service to the changes of a collection. */
@Entity('change_subscriptions')
export class ChangeSubscription {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'change_subscriptions_pkey' })
  subscriber!: string;

  /** A collection's id, or `*` for collections created later. */
  @PrimaryColumn('text', { name: 'collection_id', primaryKeyConstraintName: 'change_subscriptions_pkey' })
  collectionId!: string;
}
