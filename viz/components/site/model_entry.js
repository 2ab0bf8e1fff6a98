// The whole model, fetched before it is first opened.

import { ModelPlan } from "./levels/model_plan.js";

export default ModelPlan;
