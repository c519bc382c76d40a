/** iOS must not turn addresses, dates and numbers into links. React would not find its texts. */
export const NO_DETECTION =
  '<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">';
