const order = (process.env.TEST_ORDER ?? '').split(' ');
const filePlace = ({ path }) => order.findIndex((file) => path.endsWith(file));

/** The nearest tests first: they detect most mutations. */
export default class GivenOrder {
  sort(tests) {
    return [...tests].sort((a, b) => filePlace(a) - filePlace(b));
  }
  cacheResults() {}
}
