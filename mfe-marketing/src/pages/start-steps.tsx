import { PartsList } from '@site/ui/parts-list';
import { Picture } from '@site/ui/picture';
import { Step, Steps } from '@site/ui/steps';
import { startSteps } from './start-steps.data.ts';
import { stepDrawings } from './step-drawings.art.tsx';

export default function StartSteps() {
  return (
    <Steps>
      {startSteps.map(({ drawing, title, text, part }) => (
        <Step
          key={drawing}
          title={title}
          figure={<Picture art={stepDrawings[drawing]} />}
          parts={<PartsList title="What this step takes" hideTitle parts={[part]} />}
        >
          <p>{text}</p>
        </Step>
      ))}
    </Steps>
  );
}
