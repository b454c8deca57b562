import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Menu } from './menu.entity.js';

export const menuItemTypes = ['custom', 'page', 'post', 'taxonomy', 'collection'] as const;
export type MenuItemType = (typeof menuItemTypes)[number];

/** One item of a menu (contract 6, MenuItem). Its locale is the menu's. */
@Entity('menu_items')
@Index('menu_items_menu_id_sort_order', ['menuId', 'sortOrder'])
export class MenuItem {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'menu_items_pkey' })
  id!: string;

  @Column('text', { name: 'menu_id' })
  menuId!: string;

  @ManyToOne(() => Menu, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'menu_id', foreignKeyConstraintName: 'menu_items_menu_id_fkey' })
  menu?: Relation<Menu>;

  @Index('menu_items_parent_id')
  @Column('text', { name: 'parent_id', nullable: true })
  parentId!: string | null;

  @ManyToOne(() => MenuItem)
  @JoinColumn({ name: 'parent_id', foreignKeyConstraintName: 'menu_items_parent_id_fkey' })
  parent?: Relation<MenuItem> | null;

  @Column('integer', { name: 'sort_order' })
  sortOrder!: number;

  @Column('text')
  type!: MenuItemType;

  /** A collection's slug or a taxonomy's name; no foreign key, so that the item outlives its target. */
  @Column('text', { name: 'reference_collection', nullable: true })
  referenceCollection!: string | null;

  /** The translation group of an entry or a term; no foreign key either. */
  @Column('text', { name: 'reference_id', nullable: true })
  referenceId!: string | null;

  @Column('text', { name: 'custom_url', nullable: true })
  customUrl!: string | null;

  @Column('text')
  label!: string;

  @Column('text', { name: 'title_attr', nullable: true })
  titleAttr!: string | null;

  @Column('text', { nullable: true })
  target!: string | null;

  @Column('text', { name: 'css_classes', nullable: true })
  cssClasses!: string | null;

  /** Shared with the same item in the menus of other locales. */
  @Column('text', { name: 'translation_group' })
  translationGroup!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
