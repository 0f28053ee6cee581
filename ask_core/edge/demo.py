"""The form that `ask demo` shows: every kind of question once."""

from __future__ import annotations

FORM: dict[str, object] = {
    "title": "Plan a weekend",
    "questions": [
        {
            "id": "place",
            "label": "Place",
            "prompt": "Where do we go?",
            "options": [
                {"value": "sea", "label": "The sea", "description": "Two hours by train, long beach, no hills."},
                {"value": "mountains", "label": "The mountains", "description": "Three hours by car, huts on the way."},
                {"value": "city", "label": "The city", "description": "Half an hour, whatever the weather."},
            ],
        },
        {
            "id": "food",
            "label": "Food",
            "prompt": "What do we take along?\nThe hut sells drinks only.",
            "type": "multi",
            "options": [
                {"value": "bread", "label": "Bread and cheese"},
                {"value": "soup", "label": "Soup in a flask"},
                {"value": "fruit", "label": "Fruit", "description": "Apples keep, berries do not."},
                {"value": "cake", "label": "Cake"},
            ],
        },
        {
            "id": "route",
            "label": "Route",
            "prompt": "Which walk looks best?",
            "type": "preview",
            "options": [
                {
                    "value": "ridge",
                    "label": "Along the ridge",
                    "description": "Short and steep.",
                    "preview": "        /\\\n   /\\  /  \\    /\\\n  /  \\/    \\__/  \\\n\n"
                    "7 km, 600 m up, 3 hours\nNo water on the way.",
                },
                {
                    "value": "lake",
                    "label": "Round the lake",
                    "description": "Long and flat.",
                    "preview": "   .--------.\n  /  ~~~ ~~  \\\n |  ~~ ~~~ ~  |\n  \\__________/\n\n"
                    "12 km, 80 m up, 4 hours\nA bridge, two jetties, ice cream at the end.",
                },
            ],
        },
        {
            "id": "start",
            "label": "Start",
            "prompt": "When do we leave?",
            "required": True,
            "options": [
                {"value": "early", "label": "Before breakfast"},
                {"value": "late", "label": "After breakfast"},
            ],
        },
    ],
}
