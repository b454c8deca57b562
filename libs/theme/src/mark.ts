/** The shape of Quire's mark, an open book, for an SVG element with this view box. */
export const mark = {
  viewBox: '0 0 32 32',
  /** Size of the square behind the book, which fills the view box. */
  size: 32,
  /** Corner radius of that square. */
  cornerRadius: 8,
  /** Path of the book's lines. */
  lines:
    'M16 10.5C13.6 8.8 10.6 8 7 8v13.5c3.6 0 6.6.8 9 2.5 2.4-1.7 5.4-2.5 9-2.5V8c-3.6 0-6.6.8-9 2.5Zm0 0V24M10.5 12.6c1.2.2 2.2.5 3 .9m-3 3.3c1.2.2 2.2.5 3 .9',
} as const;
