import { ToView } from '../layout/to-view.tsx';
import { View } from '../parts/view.tsx';

/** An address that no view has. */
export function UnknownView() {
  return (
    <View title="There is no such view">
      <p>
        Go to <ToView path="/">what is live now</ToView>.
      </p>
    </View>
  );
}

/** Showing another channel in its place would have somebody act on the wrong one. */
export function UnknownChannelView({ name }: { name: string }) {
  return (
    <View title={`There is no channel “${name}”`}>
      <p>
        Go to <ToView path="/">what is live on production</ToView>.
      </p>
    </View>
  );
}
