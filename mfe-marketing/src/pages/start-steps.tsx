import { PartsList } from '@site/ui/parts-list';
import { Step, Steps } from '@site/ui/steps';
import { startSteps } from './start-steps.data.ts';
import { StepDrawing } from './step-drawing.tsx';

/** The four steps to start, each with its drawing and what it takes. */
export function StartSteps() {
  return (
    <Steps>
      {startSteps.map(({ drawing, title, text, part }) => (
        <Step
          key={drawing}
          title={title}
          figure={<StepDrawing name={drawing} />}
          parts={<PartsList title="What this step takes" hideTitle parts={[part]} />}
        >
          <p>{text}</p>
        </Step>
      ))}
    </Steps>
  );
}
