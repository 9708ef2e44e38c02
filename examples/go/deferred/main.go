// Without waiting: the operation is accepted at once, and polled until it has ended.
package main

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
	"time"
)

type operation struct {
	Status string
	Result *struct{ Prompt string }
	Error  *struct{ Code, Message string }
}

var client = http.Client{Timeout: 30 * time.Second}

// call sends a request and returns the answer and its operation.
func call(request *http.Request) (*http.Response, operation, error) {
	request.Header.Set("Authorization", "Bearer "+os.Getenv("KEY"))
	answer, err := client.Do(request)
	if err != nil {
		return nil, operation{}, err
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, operation{}, err
	}
	if answer.StatusCode >= 400 {
		return nil, operation{}, fmt.Errorf("%s: %s", answer.Status, content)
	}
	var envelope struct{ Data operation }
	err = json.Unmarshal(content, &envelope)
	return answer, envelope.Data, err
}

func run() error {
	body := strings.NewReader(`{"message": "Plan a three-day trip to Lisbon"}`)
	request, err := http.NewRequest(http.MethodPost, os.Getenv("API")+"/prompts/generate", body)
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", rand.Text())
	request.Header.Set("Prefer", "respond-async")
	accepted, operation, err := call(request)
	if err != nil {
		return err
	}

	for operation.Status == "PENDING" || operation.Status == "RUNNING" {
		time.Sleep(500 * time.Millisecond)
		poll, err := http.NewRequest(http.MethodGet, accepted.Header.Get("Location"), nil)
		if err != nil {
			return err
		}
		if _, operation, err = call(poll); err != nil {
			return err
		}
	}
	if operation.Status != "SUCCEEDED" {
		return fmt.Errorf("%s: %+v", operation.Status, operation.Error)
	}
	fmt.Println(operation.Result.Prompt)
	return nil
}

func main() {
	if err := run(); err != nil {
		log.Fatal(err)
	}
}
